// Whatever happens to a file's bytes, reading gives the same content or an InputError.
#include <algorithm>

#include "base/random.hpp"
#include "families/linear/network/examples.hpp"
#include "model/anchored_examples.hpp"
#include "store/store_fixture.hpp"
#include "store/tables.hpp"

namespace orrery::store {
namespace {

using Path = std::filesystem::path;

/// A kind of file: how one is made, and how its content is read and compared with what was written.
struct Kind {
  const char* name;
  void (*write)(const Path& path);
  void (*read)(const Path& path);
};

void write_data(const Path& path) {
  const model::LearnedModel truth = some_model();
  const Cell some = [](std::uint64_t row, std::size_t c) { return (row + c) % 31 == 0; };
  write_samples(path, 150, {"a", "b", "c", "d", "e"}, scattered, some, some_run(), &truth);
}
void read_data(const Path& path) {
  const data::SampleMatrix found = read_samples(path);
  EXPECT_EQ(found.names, (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  ASSERT_TRUE(found.missing && found.n_samples() == 150 && found.n_observed() == 5);
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < 150; ++row) {
    for (std::size_t c = 0; c < 5; ++c) {
      const bool missing = (row + c) % 31 == 0;
      wrong += found.missing->at(row, c) != missing ? 1 : 0;
      wrong += found.values.at(row, c) != (!missing && scattered(row, c)) ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0U);
  expect_same(read_model(path), some_model());
}

void write_some_model(const Path& path) { write_model(path, some_model(), some_run()); }
void read_some_model(const Path& path) { expect_same(read_model(path), some_model()); }

void write_some_tree(const Path& path) { write_model(path, some_tree(), some_run()); }
void read_some_tree(const Path& path) { expect_same(read_tree(path), some_tree()); }

void write_some_linear(const Path& path) {
  write_model(path, model::linear_examples::learned_linear_example(), some_run());
}
void read_some_linear(const Path& path) {
  expect_same(read_linear(path), model::linear_examples::learned_linear_example());
}

void write_some_anchored(const Path& path) {
  write_model(path, model::anchored_examples::learned_anchored_example(), some_run());
}
void read_some_anchored(const Path& path) {
  expect_same(read_model(path), model::anchored_examples::learned_anchored_example());
}

void write_some_checkpoint(const Path& path) {
  write_checkpoint(path, some_checkpoint(), some_run());
}
void read_some_checkpoint(const Path& path) { EXPECT_EQ(read_checkpoint(path), some_checkpoint()); }

void read_some_posterior(const Path& path) {
  EXPECT_EQ(read_posterior_header(path), some_posterior_header());
  EXPECT_EQ(read_posterior(path), some_posterior());
}

void write_some_dense(const Path& path) {
  DenseWriter writer(path);
  writer.begin({"a", "b", "c"});
  data::DenseBlock block(50, 3);
  for (std::size_t i = 0; i < block.values.size(); ++i) {
    block.values[i] = i % 11 == 0 ? std::nan("") : static_cast<double>(i * i) / 7;
  }
  writer.append(block);
  writer.finish(some_run());
}
void read_some_dense(const Path& path) {
  const DenseReader found(path);
  EXPECT_EQ(found.names(), (std::vector<std::string>{"a", "b", "c"}));
  ASSERT_EQ(found.header().n_samples, 50U);
  EXPECT_EQ(found.header().n_missing, 14U);
  EXPECT_EQ(found.columns()[2].max, 149 * 149 / 7.0);
  std::size_t i = 0;
  found.visit(0, 50, [&](const double* rows, std::size_t n_rows) {
    for (const double value : std::span(rows, 3 * n_rows)) {
      EXPECT_TRUE(i % 11 == 0 ? std::isnan(value) : value == static_cast<double>(i * i) / 7) << i;
      ++i;
    }
  });
  EXPECT_EQ(i, 150U);
}

constexpr std::size_t n_damaged = 6;
moments::PairCounts some_pairs() {
  moments::PairCounts pairs;
  pairs.n_observed = n_damaged;
  pairs.n_samples = 1000;
  for (std::size_t a = 0; a < n_damaged; ++a) {
    for (std::size_t b = 0; b < n_damaged; ++b) {
      pairs.off.push_back(a == b ? 900 - a : 100 + a * b);
    }
  }
  return pairs;
}
std::vector<std::uint32_t> some_triples(std::size_t a) {
  std::vector<std::uint32_t> counts((n_damaged - 1 - a) * (n_damaged - 2 - a) / 2);
  std::ranges::generate(counts, [n = static_cast<std::uint32_t>(a)]() mutable { return n += 7; });
  return counts;
}
void write_moments(const Path& path) {
  MomentsWriter writer(path, some_pairs(), 3, 42, {"a", "b", "c", "d", "e", "f"});
  for (std::size_t a = 0; a + 2 < n_damaged; ++a) {
    writer.append_triples(a, some_triples(a));
  }
  writer.finish(some_run());
}
void read_moments(const Path& path) {
  const MomentsReader found(path);
  EXPECT_EQ(found.order(), 3);
  EXPECT_EQ(found.data_digest(), 42U);
  EXPECT_EQ(found.names(), (std::vector<std::string>{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(found.pairs().n_samples, 1000U);
  EXPECT_EQ(found.pairs().off, some_pairs().off);
  for (std::size_t a = 0; a + 2 < n_damaged; ++a) {
    EXPECT_EQ(found.read_triples(a), some_triples(a));
  }
}

void read_run(const Path& path) {
  const RunInfo found = inspect(path).run.value();
  const RunInfo expected = some_run();
  EXPECT_EQ(found.command_line, expected.command_line);
  EXPECT_EQ(found.version, expected.version);
  EXPECT_EQ(found.commit, expected.commit);
  EXPECT_EQ(found.host, expected.host);
  EXPECT_EQ(found.hosts, expected.hosts);
  EXPECT_EQ(found.started, expected.started);
  EXPECT_EQ(found.kernel, expected.kernel);
  EXPECT_EQ(found.seed, expected.seed);
  EXPECT_EQ(found.ranks, expected.ranks);
  EXPECT_EQ(found.threads, expected.threads);
  EXPECT_EQ(found.bytes_read, expected.bytes_read);
  EXPECT_EQ(found.stages, expected.stages);
}

class DamageTest : public StoreTest, public testing::WithParamInterface<Kind> {
 protected:
  DamageTest() {
    GetParam().write(path("good.h5"));
    good_ = bytes_of(path("good.h5"));
  }
  void SetUp() override { testing::internal::CaptureStderr(); }
  void TearDown() override {
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    fmt::print("{} bytes; {} damaged files refused, {} read as they were\n", good_.size(), refused_,
               harmless_);
    RecordProperty("refused", refused_);
    RecordProperty("harmless", harmless_);
  }

  /// Reads `bytes` as a file: the same content, or an InputError; any other error fails the test.
  void expect_refused_or_same(const std::string& bytes, const std::string& damage) {
    SCOPED_TRACE(damage);
    put_bytes(path("damaged.h5"), bytes);
    try {
      GetParam().read(path("damaged.h5"));
      read_run(path("damaged.h5"));
      ++harmless_;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      ++refused_;
    }
  }

  std::string good_;
  int refused_ = 0;
  int harmless_ = 0;
};

std::string flipped(std::string bytes, std::size_t at, unsigned bit) {
  bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << bit));
  return bytes;
}

TEST_P(DamageTest, a_flipped_bit_anywhere_is_found_or_harmless) {
  for (std::size_t i = 0; i < 8 * good_.size(); i += 61) {  // odd: all bits of a byte take turns
    const auto bit = static_cast<unsigned>(i % 8);
    expect_refused_or_same(flipped(good_, i / 8, bit),
                           fmt::format("bit {} of byte {}", bit, i / 8));
  }
  EXPECT_GT(refused_, harmless_);  // what is harmless lies in room that HDF5 left unused
}

TEST_P(DamageTest, a_truncated_file_is_refused) {
  for (std::size_t length = 0; length < good_.size(); length += 7) {
    expect_refused_or_same(good_.substr(0, length), fmt::format("{} bytes", length));
  }
  EXPECT_EQ(harmless_, 0);
}

/// A corruption of one of several sorts; `random` decides which, where and how large.
class Corruption {
 public:
  Corruption(const std::string& good, std::uint64_t number)
      : bytes_(good), random_(20130501, Stream::check, number) {
    switch (random_.below(5)) {
      case 0:
        flip();
        break;
      case 1:
        cut();
        break;
      case 2:
        zero();
        break;
      case 3:
        swap();
        break;
      default:
        overwrite();
    }
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] const std::string& what() const { return what_; }

 private:
  /// From one byte to an eighth of the file, short ones as often as long ones.
  std::size_t some_length() {
    const std::size_t longest = std::size_t{1} << random_.below(14);
    return 1 + random_.below(std::min(longest, bytes_.size() / 8));
  }
  void flip() {
    const std::size_t n = 1 + random_.below(8);
    for (std::size_t i = 0; i < n; ++i) {
      bytes_ =
          flipped(bytes_, random_.below(bytes_.size()), static_cast<unsigned>(random_.below(8)));
    }
    what_ = fmt::format("{} flipped bits", n);
  }
  void cut() {
    bytes_.resize(random_.below(bytes_.size()));
    what_ = fmt::format("cut to {} bytes", bytes_.size());
  }
  void zero() {
    const std::size_t n = some_length();
    const std::size_t from = random_.below(bytes_.size() - n);
    bytes_.replace(from, n, n, '\0');
    what_ = fmt::format("{} zeros from {}", n, from);
  }
  /// On multiples of 8, as HDF5 lays out its objects.
  void swap() {
    const std::size_t n = (some_length() + 7) / 8 * 8;
    const std::size_t a = random_.below(bytes_.size() / 2 - n) / 8 * 8;
    const std::size_t b = (a + n + random_.below(bytes_.size() - a - 2 * n)) / 8 * 8;
    std::swap_ranges(bytes_.begin() + static_cast<std::ptrdiff_t>(a),
                     bytes_.begin() + static_cast<std::ptrdiff_t>(a + n),
                     bytes_.begin() + static_cast<std::ptrdiff_t>(b));
    what_ = fmt::format("{} bytes from {} and {} exchanged", n, a, b);
  }
  void overwrite() {
    const std::size_t n = some_length();
    const std::size_t from = random_.below(bytes_.size() - n);
    for (std::size_t k = 0; k < n; ++k) {
      bytes_[from + k] = static_cast<char>(random_.below(256));
    }
    what_ = fmt::format("{} random bytes from {}", n, from);
  }

  std::string bytes_;
  std::string what_;
  RowRandom random_;
};

TEST_P(DamageTest, a_thousand_corruptions_are_found_or_harmless) {
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const Corruption corruption(good_, number);
    expect_refused_or_same(corruption.bytes(), fmt::format("{}: {}", number, corruption.what()));
  }
  EXPECT_GT(refused_, 500);
}

const Kind kinds[] = {{"tree", write_some_tree, read_some_tree},
                      {"linear", write_some_linear, read_some_linear},
                      {"anchored", write_some_anchored, read_some_anchored},
                      {"checkpoint", write_some_checkpoint, read_some_checkpoint},
                      {"data", write_data, read_data},
                      {"dense", write_some_dense, read_some_dense},
                      {"posterior", write_some_posterior, read_some_posterior},
                      {"model", write_some_model, read_some_model},
                      {"moments", write_moments, read_moments}};
INSTANTIATE_TEST_SUITE_P(Files, DamageTest, testing::ValuesIn(kinds),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace orrery::store
