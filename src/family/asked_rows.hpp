// The rows that `infer` is asked about: those of a data file, or one that the command line tells
// (--given NAME=VALUE,...). Here alone is decided where rows come from: a family asks for its
// variables, and gets the rows in the form of a file's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/program_options.hpp"
#include "orrery/data/categorical_table.hpp"
#include "parallel/team.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::family {

/// --given.
void add_given_option(boost::program_options::options_description& options);

/// A value of --given, as it was written.
struct GivenValue {
  std::string name;
  std::string value;
};

/// What the texts of --given say: "fever=1,cough=0", quoted as in CSV where a name or a value has a
/// comma or a quote, or @FILE with such text on each line. Of several places at which a name may
/// end ("a=b=1") the last is taken before which one of `names` stands, else the first. Throws
/// UsageError for a name that is not one of `names`, saying which are near, and for one that stands
/// there twice or has no value.
std::vector<GivenValue> given_values(const std::vector<std::string>& texts,
                                     const std::vector<std::string>& names);

/// Variables of bits. One may be the union of several columns: on if one of them is; else missing
/// if one is.
struct AskedVariables {
  std::vector<std::string> names;
  /// The columns of each; empty, or an empty list: the column of its own name.
  std::vector<std::vector<std::string>> members{};
};

/// True if the rows are those of DATA, false if --given tells one. Throws UsageError if the command
/// line has neither.
bool has_data_file(const cli::Arguments& arguments);
/// What messages call the rows: the file, or "--given".
std::string name_of_rows(const cli::Arguments& arguments);
/// Throws UsageError if --given is there beside DATA: for families that look at whole rows.
void refuse_given_beside_data(const cli::Arguments& arguments);

/// The rows of DATA; or the given one, with the columns of all variables, those that are not named
/// missing. Throws InputError, or UsageError for what is given. Collective.
std::unique_ptr<store::SampleReader> open_bits(const cli::Arguments& arguments,
                                               const parallel::Team& team,
                                               const AskedVariables& variables);
/// The same of categories: `variables` has no rows.
store::StoredTable open_categories(const cli::Arguments& arguments,
                                   const data::CategoricalTable& variables);

}  // namespace orrery::family
