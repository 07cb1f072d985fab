// What `orrery sample` draws from, of any family, and the options that say more of it.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::cli {

struct SampleSource {
  model::AnyModel truth;
  std::vector<std::string> names;  ///< of the observed variables
};

/// --network, and what is of one family: --flip, --correlations, --crossover, --cause-law,
/// --cause-correlation, --anchor-rates, --violations, --labels, --label-share,
/// --concentration, --missing-share.
void add_source_options(boost::program_options::options_description& options);
/// Throws UsageError for an option of another family than the network's, InputError for a network
/// without an observed variable. Collective.
SampleSource load_source(const Arguments& arguments, const parallel::Team& team);
/// What is said of the truth at the end: "8 hidden causes", and the same in JSON.
std::string describe_truth(const model::AnyModel& truth, nlohmann::json& object);

}  // namespace orrery::cli
