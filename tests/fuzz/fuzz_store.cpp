// Any bytes, read as a file: InputError or data, nothing else. Half of the inputs are whole files;
// the other half are edits of a file of ours, which must then give InputError or the same data.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/store/checkpoint.hpp"
#include "orrery/store/store.hpp"

namespace {

namespace data = orrery::data;
namespace model = orrery::model;
namespace store = orrery::store;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// Seven samples of three variables, one value missing, and a network of two causes.
void write_good_file(const std::filesystem::path& path) {
  model::LearnedModel truth;
  truth.network =
      model::NoisyOrNetwork({{"x", 0.25}, {"y", 0.5}}, {{"a", 0.0}, {"b", 0.125}, {"c", 0.0}},
                            {{0, 0, 0.5}, {0, 1, 0.25}, {1, 2, 0.75}});
  truth.provenance.resize(2);
  store::SampleWriter writer(path);
  writer.begin({"a", "b", "c"});
  data::BitColumns values(3, 7);
  data::BitColumns missing(3, 7);
  values.set(2, 0);
  values.set(6, 1);
  missing.set(3, 2);
  writer.append(values, &missing);
  writer.finish(store::RunInfo(), &truth);
}

struct Setting {
  std::filesystem::path path;
  std::string good;
  data::SampleMatrix samples;
  model::LearnedModel model;
};

Setting prepare() {
  orrery::log::configure(orrery::log::Level::quiet, false);
  const std::filesystem::path memory = "/dev/shm";
  const auto folder =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  Setting setting;
  setting.path = folder / ("orrery-fuzz-store-" + std::to_string(getpid()));
  write_good_file(setting.path);
  std::ifstream file(setting.path, std::ios::binary);
  setting.good = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  setting.samples = store::read_samples(setting.path);
  setting.model = store::read_model(setting.path);
  return setting;
}

/// Each edit is four bytes: where (three, little-endian, modulo the length) and what.
std::string edited(std::string bytes, const std::uint8_t* edits, std::size_t n) {
  for (std::size_t i = 0; i + 4 <= n; i += 4) {
    const std::size_t at = edits[i] + 256U * edits[i + 1] + 65536U * edits[i + 2];
    bytes[at % bytes.size()] = static_cast<char>(edits[i + 3]);
  }
  return bytes;
}

/// What `work` returns, unless it throws InputError.
template <class T>
std::optional<T> read(const std::function<T()>& work) {
  try {
    return work();
  } catch (const orrery::InputError& error) {
    require(std::string(error.what()).find('\n') == std::string::npos);
    return std::nullopt;
  }
}

void read_all(const Setting& setting, bool is_edit) {
  const auto& path = setting.path;
  const auto samples = read<data::SampleMatrix>([&] { return store::read_samples(path); });
  const auto network = read<model::LearnedModel>([&] { return store::read_model(path); });
  read<store::FileContents>([&] { return store::inspect(path); });
  read<store::Checkpoint>([&] { return store::read_checkpoint(path); });
  read<std::uint64_t>([&] { return store::MomentsReader(path).data_digest(); });
  if (is_edit && samples) {
    require(samples->values == setting.samples.values);
    require(samples->missing.has_value());
    require(samples->missing->words() == setting.samples.missing->words());
    require(samples->names == setting.samples.names);
  }
  if (is_edit && network) {
    require(network->network.edges() == setting.model.network.edges());
    require(network->provenance == setting.model.provenance);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  static const Setting setting = prepare();
  if (n == 0) {
    return 0;
  }
  const bool is_edit = bytes[0] % 2 == 0;
  const std::string content =
      is_edit ? edited(setting.good, bytes + 1, n - 1) : std::string(bytes + 1, bytes + n);
  std::FILE* file = std::fopen(setting.path.c_str(), "wb");
  require(file != nullptr);
  require(std::fwrite(content.data(), 1, content.size(), file) == content.size());
  require(std::fclose(file) == 0);
  read_all(setting, is_edit);
  std::filesystem::remove(setting.path);
  return 0;
}
