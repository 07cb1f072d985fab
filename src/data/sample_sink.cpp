#include "orrery/data/sample_sink.hpp"

#include <algorithm>

namespace orrery::data {

void MemorySink::begin(const std::vector<std::string>& names) { names_ = names; }

void MemorySink::append(const BitColumns& values, const BitColumns* missing) {
  values_.push_back(values);
  const bool has_missing =
      missing != nullptr &&
      std::ranges::any_of(missing->words(), [](std::uint64_t word) { return word != 0; });
  any_missing_ = any_missing_ || has_missing;
  missing_.push_back(has_missing ? *missing : BitColumns(values.n_columns(), values.n_rows()));
}

SampleMatrix MemorySink::take() {
  SampleMatrix samples;
  std::size_t n_rows = 0;
  for (const BitColumns& block : values_) n_rows += block.n_rows();
  samples.names = names_;
  samples.values = BitPanels(names_.size(), n_rows);
  if (any_missing_) samples.missing = BitPanels(names_.size(), n_rows);
  std::size_t row = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    samples.values.insert(row, values_[i]);
    if (any_missing_) samples.missing->insert(row, missing_[i]);
    row += values_[i].n_rows();
  }
  return samples;
}

}  // namespace orrery::data
