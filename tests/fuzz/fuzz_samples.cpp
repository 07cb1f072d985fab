// /samples of any file: InputError, or samples that counting can rely on.
#include <algorithm>

#include "good_files.hpp"
#include "hdf5_target.hpp"

namespace orrery::fuzz {
namespace {

void require_clear_tail(const data::BitPanels& bits) {
  if (bits.n_rows() % 64 == 0) return;
  for (std::size_t c = 0; c < bits.n_columns(); ++c) {
    require(bits.word(c, bits.n_words() - 1) >> (bits.n_rows() % 64) == 0);
  }
}

void require_sound(const data::SampleMatrix& samples) {
  require(samples.n_observed() > 0 && samples.names.size() == samples.n_observed());
  require_clear_tail(samples.values);
  if (!samples.missing) return;
  require_clear_tail(*samples.missing);
  require(samples.missing->words().size() == samples.values.words().size());
  for (std::size_t w = 0; w < samples.values.words().size(); ++w) {
    require((samples.values.words()[w] & samples.missing->words()[w]) == 0);
  }
}

void require_equal(const data::SampleMatrix& a, const data::SampleMatrix& b) {
  require(a.values == b.values && a.n_samples() == b.n_samples());
  require(a.missing.has_value() && b.missing.has_value());
  require(std::ranges::equal(a.missing->words(), b.missing->words()));
  require(a.names == b.names && a.digest == b.digest);
}

data::SampleMatrix read(const std::filesystem::path& path) {
  const store::SampleHeader header = store::read_sample_header(path);
  data::SampleMatrix samples = store::read_samples(path);
  require(header.n_samples == samples.n_samples() && header.digest == samples.digest);
  return samples;
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<orrery::data::SampleMatrix> target(
      {"/samples", write_good_samples, read, require_sound, require_equal});
  target.run(bytes, n);
  return 0;
}
