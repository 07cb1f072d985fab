#include "cli/learner_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/network_argument.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/model/network_moments.hpp"
#include "orrery/moments/counted_moments.hpp"

namespace orrery::cli {
namespace {

std::vector<std::byte> pack_names(const std::vector<std::string>& names) {
  std::vector<std::byte> bytes;
  for (const std::string& name : names) {
    for (const char c : name) bytes.push_back(static_cast<std::byte>(c));
    bytes.push_back(std::byte{0});
  }
  return bytes;
}

std::vector<std::string> unpack_names(const std::vector<std::byte>& bytes) {
  std::vector<std::string> names;
  std::string name;
  for (const std::byte byte : bytes) {
    if (byte == std::byte{0}) {
      names.push_back(std::exchange(name, {}));
    } else {
      name += static_cast<char>(byte);
    }
  }
  return names;
}

void share_samples(const parallel::Team& team, data::SampleMatrix& samples) {
  std::vector<std::uint64_t> shape{samples.n_samples(), samples.n_observed(), samples.digest};
  std::vector<std::byte> names = pack_names(samples.names);
  team.broadcast(shape);
  team.broadcast_bytes(names);
  samples.digest = shape[2];
  if (!team.is_root()) samples.names = unpack_names(names);
  const std::size_t n_words = data::BitPanels::words_needed(shape[1], shape[0]);
  std::uint64_t* shared = team.host_words(n_words);
  if (shared == nullptr) return;  // a rank alone
  data::BitPanels of_host(shape[1], shape[0], shared);
  if (team.is_root()) std::ranges::copy(samples.values.words(), of_host.words().begin());
  samples.values = std::move(of_host);
  team.broadcast_to_hosts(shared, n_words);
}

/// Refuses moments of other data, naming both.
void check_same_data(const store::MomentsReader& stored, const data::SampleMatrix& samples,
                     const std::string& moments, const std::string& data) {
  if (stored.data_digest() != samples.digest || stored.pairs().n_samples != samples.n_samples() ||
      stored.pairs().n_observed != samples.n_observed()) {
    throw InputError(fmt::format(
        "{}: counted from other data (digest {:016x}, {} rows, {} columns) than {} (digest "
        "{:016x}, {} rows, {} columns); count again with `orrery moments`",
        moments, stored.data_digest(), stored.pairs().n_samples, stored.pairs().n_observed, data,
        samples.digest, samples.n_samples(), samples.n_observed()));
  }
}

}  // namespace

data::SampleMatrix load_samples(const parallel::Team& team, const std::string& path) {
  data::SampleMatrix samples;
  if (team.is_root()) samples = learners::usable_rows(store::read_samples(path), path);
  share_samples(team, samples);
  return samples;
}

LearnerInput load_learner_input(const parallel::Team& team, const Arguments& arguments,
                                const MomentInputs& inputs, learners::Checkpoints& checkpoints,
                                std::vector<Stage>& stages) {
  LearnerInput input;
  const Progress clock("load", 0, "");
  if (inputs.data.empty()) {
    input.network = std::make_unique<model::LearnedModel>(
        load_network(team, inputs.moments, arguments.seed()));
    for (const auto& observed : input.network->network.observed()) {
      input.names.push_back(observed.name);
    }
    input.moments = std::make_unique<model::NetworkMoments>(input.network->network);
    return input;
  }
  input.samples = std::make_unique<data::SampleMatrix>(load_samples(team, inputs.data));
  input.names = input.samples->names;
  input.digest = input.samples->digest;
  stages.push_back({"load", clock.seconds()});
  moments::PairCounts pairs;
  moments::StoredTriples triples;
  if (inputs.moments.empty()) {
    pairs = learners::count_pairs(team, arguments.threads(), input.samples->values, checkpoints,
                                  stages);
  } else {
    input.stored = team.root_first([&] {
      auto reader = std::make_unique<store::MomentsReader>(inputs.moments);
      check_same_data(*reader, *input.samples, inputs.moments, inputs.data);
      return reader;
    });
    log::verbose("{}: counts of order {} reused", inputs.moments, input.stored->order());
    pairs = input.stored->pairs();
    if (input.stored->order() >= 3) {
      triples = [reader = input.stored.get()](std::size_t a) { return reader->read_triples(a); };
    }
  }
  if (team.is_root()) learners::warn_of_odd_columns(pairs, input.names, inputs.data);
  input.moments = std::make_unique<moments::CountedMoments>(input.samples->values, std::move(pairs),
                                                            triples);
  return input;
}

}  // namespace orrery::cli
