#include <thread>

#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

constexpr std::size_t n_counted = 7;
constexpr std::uint64_t n_counted_rows = 500;

class MomentsTest : public StoreTest {
 protected:
  MomentsTest() {
    pairs_.n_observed = n_counted;
    pairs_.n_samples = n_counted_rows;
    pairs_.off.assign(n_counted * n_counted, 0);
    for (std::size_t a = 0; a < n_counted; ++a) {
      names_.push_back(fmt::format("v{}", a));
      for (std::size_t b = 0; b < n_counted; ++b) {
        pairs_.off[a * n_counted + b] = count(a, b, b);
      }
    }
  }

  /// Rows in which all three are off, one by one.
  static std::uint32_t count(std::size_t a, std::size_t x, std::size_t y) {
    std::uint32_t n = 0;
    for (std::uint64_t row = 0; row < n_counted_rows; ++row) {
      n += !scattered(row, a) && !scattered(row, x) && !scattered(row, y) ? 1U : 0U;
    }
    return n;
  }
  static std::vector<std::uint32_t> slab(std::size_t a) {
    std::vector<std::uint32_t> counts;
    for (std::size_t x = a + 1; x < n_counted; ++x) {
      for (std::size_t y = x + 1; y < n_counted; ++y) {
        counts.push_back(count(a, x, y));
      }
    }
    return counts;
  }
  void write(int order) const {
    MomentsWriter writer(path("m.h5"), pairs_, order, 42, names_);
    for (std::size_t a = 0; order == 3 && a < n_counted; ++a) {
      writer.append_triples(a, slab(a));
    }
    writer.finish(some_run());
  }

  moments::PairCounts pairs_;
  std::vector<std::string> names_;
};

TEST_F(MomentsTest, pairs_round_trip) {
  write(2);
  const MomentsReader reader(path("m.h5"));
  EXPECT_EQ(reader.order(), 2);
  EXPECT_EQ(reader.data_digest(), 42U);
  EXPECT_EQ(reader.names(), names_);
  EXPECT_EQ(reader.pairs().n_observed, n_counted);
  EXPECT_EQ(reader.pairs().n_samples, n_counted_rows);
  EXPECT_EQ(reader.pairs().off, pairs_.off);
}

TEST_F(MomentsTest, triples_round_trip_in_any_order) {
  write(3);
  const MomentsReader reader(path("m.h5"));
  EXPECT_EQ(reader.order(), 3);
  EXPECT_EQ(reader.pairs().off, pairs_.off);
  for (const std::size_t a : {4, 0, 6, 1, 5, 2, 3, 0}) {
    EXPECT_EQ(reader.read_triples(a), slab(a)) << a;
  }
}

TEST_F(MomentsTest, two_variables_have_no_triples) {
  moments::PairCounts pairs;
  pairs.n_observed = 2;
  pairs.n_samples = 10;
  pairs.off = {6, 3, 3, 5};
  MomentsWriter writer(path("m.h5"), pairs, 3, 1, {"a", "b"});
  writer.append_triples(0, {});
  writer.append_triples(1, {});
  writer.finish(some_run());
  const MomentsReader reader(path("m.h5"));
  EXPECT_EQ(reader.pairs().off, pairs.off);
  EXPECT_TRUE(reader.read_triples(0).empty());
  EXPECT_TRUE(reader.read_triples(1).empty());
}

TEST_F(MomentsTest, threads_may_read_triples_at_once) {
  write(3);
  const MomentsReader reader(path("m.h5"));
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 50; ++i) {
        wrong[t] += reader.read_triples((i + t) % n_counted) != slab((i + t) % n_counted) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST_F(MomentsTest, a_damaged_slab_is_reported_when_it_is_read) {
  write(3);
  const std::vector<std::uint32_t> last = slab(n_counted - 3);
  const std::string needle(reinterpret_cast<const char*>(last.data()), 4);
  // The triples of a = n_counted - 4 (three) stand right before the only one of n_counted - 3.
  const std::vector<std::uint32_t> before = slab(n_counted - 4);
  std::string bytes = bytes_of(path("m.h5"));
  const std::size_t at =
      bytes.find(std::string(reinterpret_cast<const char*>(before.data()), 12) + needle);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 12] = static_cast<char>(bytes[at + 12] ^ 1);
  put_bytes(path("m.h5"), bytes);
  const MomentsReader reader(path("m.h5"));
  EXPECT_EQ(reader.read_triples(n_counted - 4), before);
  const std::string message =
      message_of<InputError>([&] { static_cast<void>(reader.read_triples(n_counted - 3)); });
  EXPECT_NE(message.find("triples of variable 4"), std::string::npos) << message;
}

TEST_F(MomentsTest, impossible_counts_are_reported) {
  pairs_.off[1 * n_counted + 2] += 1;
  // The writer reads back what it wrote, so it never lets such a file appear.
  const std::string message = message_of<EnvironmentError>([&] { write(2); });
  EXPECT_NE(message.find("/moments/pairs[1, 2]"), std::string::npos) << message;
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(MomentsTest, two_writes_are_byte_identical) {
  write(3);
  const std::string first = bytes_of(path("m.h5"));
  write(3);
  EXPECT_EQ(bytes_of(path("m.h5")), first);
}

}  // namespace
}  // namespace orrery::store
