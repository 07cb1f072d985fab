// The table of families: which there are in this program; whose a model, a file or an option is;
// and the models that arguments name.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "family/families.hpp"
#include "family/family.hpp"
#include "parallel/team.hpp"
#include "store/store.hpp"

namespace orrery::family {

/// "this build has no learner anchored: build with -DORRERY_ANCHORED=ON"
std::string says_absent(const AbsentPart& part);

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

struct Written {
  std::string text;
  std::string note;  ///< what is not in it as it is in the model; empty: nothing
};
/// The model as JSON, in a format of its family, or in one of graphs or of networks of tables.
/// `min_strength`: without weaker edges. Throws UsageError naming the formats that there are, and
/// for a strength where the format holds the whole model.
Written write_as(const AnyModel& model, const std::string& format,
                 const std::optional<double>& min_strength = {});
/// The text of it.
std::string written_as(const AnyModel& model, const std::string& format,
                       const std::optional<double>& min_strength = {});
/// A CSV of what such a format calls each variable and state; see report::names_csv. Throws
/// UsageError if the format is not one of networks of tables.
std::string names_written_as(const AnyModel& model, const std::string& format);

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

// MODEL and NETWORK on the command line: a generator, a JSON file, or an HDF5 file with a model.
// Which family an argument names is decided here alone.

/// A generator's name, a JSON file (one network of several by FILE:NAME), or an HDF5 file with the
/// group of a family. `seed` is that of random generators, `sample` the arguments of a command that
/// has their options. Throws InputError or UsageError.
AnyModel load_model(const std::string& argument, std::uint64_t seed,
                    const Arguments* sample = nullptr);
/// The same at every rank. Collective.
AnyModel load_model(const parallel::Team& team, const std::string& argument, std::uint64_t seed,
                    const Arguments* sample = nullptr);
/// True if an HDF5 file has one of the families' groups.
bool holds_model(const store::FileContents& contents);
/// The model of an HDF5 file, in whichever of the families' groups. Throws InputError.
AnyModel read_model_file(const std::string& path);
/// True if `argument` is a built-in network, whatever file has its name. Throws UsageError for one
/// that is not written as its generator needs.
bool is_generator(const std::string& argument);
/// The file that `argument` names, without a network's name behind it; empty for a generator.
std::string model_file(const std::string& argument);
/// The arguments of all generators, for help.
std::string generator_help();

/// A model as an option that a result depends on: what it says, not where its file is.
std::pair<std::string, std::string> identity_of(const std::string& option, const AnyModel& model);
/// Of what it says.
std::uint64_t digest_of(const AnyModel& model);

}  // namespace orrery::family
