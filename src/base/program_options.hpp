#pragma once
// The types of Boost.Program_options that a header names in passing. Reading their definitions takes
// most of a second per source; a source that uses them includes them.

namespace boost::program_options {
class option_description;
class options_description;
class variables_map;
}  // namespace boost::program_options
