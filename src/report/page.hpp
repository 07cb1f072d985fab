// What all pages have around their sections.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::report {

/// From the doctype to the line below the title; `title` and `source` are escaped here, `summary`
/// and `detail` are HTML.
std::string page_head(std::string_view title, std::string_view source, std::string_view summary,
                      std::string_view detail);
/// From the footer to the end: `data_digest` 0: none; `note` and `script` are HTML.
std::string page_foot(std::uint64_t data_digest, std::string_view note, std::string_view script);

}  // namespace orrery::report
