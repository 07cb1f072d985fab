// The table of families: which there are in this program, and whose a model, a file or an option
// is.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "family/family.hpp"

namespace orrery::family {

/// All families, in the order in which --help lists them. Its definition is generated: a program
/// says to CMake which families it has (orrery_families in cmake/OrreryRooms.cmake).
const std::vector<const Family*>& families();

/// Whose model it is.
const Family& family_of(const AnyModel& model);

/// The model as a group of a file, which writes a copy of it.
store::GroupWriter group_of(const AnyModel& model);
/// The model as JSON.
std::string to_json(const AnyModel& model);

/// "`sample`, `infer`, `export` and `info`": the commands that take models of this family.
std::string commands_for(const Family& family);

/// Throws InputError: SOURCE holds a model that `need` cannot do with; says which commands can.
[[noreturn]] void refuse(const AnyModel& model, const std::string& source, const std::string& need);

/// Throws InputError: SOURCE holds a model that the command does not take.
[[noreturn]] void refuse_command(const AnyModel& model, const std::string& source,
                                 const std::string& command);

/// The model, if it is of the type that a family's own code needs; else refuses it.
template <class Model>
Model require(const AnyModel& model, const std::string& source, const std::string& need) {
  if (const Model* found = model.as<Model>()) return *found;
  refuse(model, source, need);
}

/// The model as JSON, in a format of its family, or in one of graphs or of networks of tables.
/// Throws UsageError naming those that there are.
std::string written_as(const AnyModel& model, const std::string& format);

/// All formats beside JSON, for help, with the families that some are for.
std::string format_help();

/// The options that one command has for some families only.
class FamilyOptions {
 public:
  /// `action` is the command's: &Family::infer.
  template <class Run>
  explicit FamilyOptions(Action<Run> Family::*action) {
    for (const Family* family : families()) {
      const Action<Run>& own = family->*action;
      add(*family, own.add_options, own.help);
    }
  }

  /// Each once, also where several families have it.
  void add_to(boost::program_options::options_description& options) const;
  /// What the command does for each family, in sentences.
  [[nodiscard]] const std::string& help() const noexcept { return help_; }
  /// Throws UsageError for an option that was given (not by its default), and is of other families
  /// only than that of `model`, which SOURCE holds.
  void refuse_others(const Arguments& arguments, const AnyModel& model,
                     const std::string& source) const;
  /// Name and value of each option of a family that has a value: what a result depends on.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> values(const Arguments& arguments,
                                                                        const Family& family) const;

 private:
  void add(const Family& family, AddOptions add_options, const std::string& help);

  boost::program_options::options_description options_;
  std::map<std::string, std::set<const Family*>> owners_;
  std::vector<std::string> names_;  // in order
  std::string help_;
};

/// Throws UsageError if one of these options was given (not by its default), which are of no use
/// for what SOURCE holds.
void refuse_options(const Arguments& arguments, const std::vector<std::string>& options,
                    const std::string& source, const std::string& holds);

}  // namespace orrery::family
