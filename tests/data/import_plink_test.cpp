// PLINK 1: genotypes in .bed, variants in .bim, persons in .fam.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/import_tables.hpp"
#include "data/row_names.hpp"
#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

/// Copies of A1 of each person, by variants: 0, 1, 2, or ? if missing.
std::string bed_of(const Table& rows) {
  std::string bed = "\x6C\x1B\x01";
  for (std::size_t c = 0; c < rows[0].size(); ++c) {
    std::string bytes((rows.size() + 3) / 4, '\0');
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const char copies = rows[r][c];
      const unsigned code = copies == '2' ? 0 : copies == '?' ? 1 : copies == '1' ? 2 : 3;
      bytes[r / 4] =
          static_cast<char>(static_cast<unsigned char>(bytes[r / 4]) | (code << (2 * (r % 4))));
    }
    bed += bytes;
  }
  return bed;
}

std::string bim_of(std::size_t n) {
  std::string text;
  for (std::size_t c = 0; c < n; ++c) {
    text += "1\trs" + std::to_string(c) + "\t0\t" + std::to_string(c) + "\tA\tC\n";
  }
  return text;
}

std::string fam_of(std::size_t n) {
  std::string text;
  for (std::size_t r = 0; r < n; ++r) text += "f p" + std::to_string(r) + " 0 0 1 -9\n";
  return text;
}

/// The three files in a folder of their own.
class PlinkFiles {
 public:
  explicit PlinkFiles(const Table& rows) {
    write("t.bed", bed_of(rows));
    write("t.bim", bim_of(rows[0].size()));
    write("t.fam", fam_of(rows.size()));
  }
  void write(const std::string& name, const std::string& content) const {
    static_cast<void>(folder_.write(name, content));
  }
  void remove(const std::string& name) const { std::filesystem::remove(folder_.path() / name); }
  [[nodiscard]] std::filesystem::path bed() const { return folder_.path() / "t.bed"; }
  [[nodiscard]] std::filesystem::path prefix() const { return folder_.path() / "t"; }

 private:
  ScratchFolder folder_;
};

const Table copies{"0120", "2?10", "0000", "1112", "?020"};

class DosageRows final : public DenseSink {
 public:
  void begin(const std::vector<std::string>& given) override { names = given; }
  void append(const DenseBlock& block) override {
    values.insert(values.end(), block.values.begin(), block.values.end());
  }
  std::vector<std::string> names;
  std::vector<double> values;
};

TEST(ImportPlink, a_carrier_has_one_copy_or_two) {
  const PlinkFiles files(copies);
  const Table carriers{"0110", "1?10", "0000", "1111", "?010"};
  EXPECT_EQ(import_file(files.bed()).table, carriers);
  const Imported by_prefix = import_file(files.prefix());
  EXPECT_EQ(by_prefix.table, carriers);
  EXPECT_EQ(by_prefix.summary.names, (std::vector<std::string>{"rs0", "rs1", "rs2", "rs3"}));
  EXPECT_EQ(by_prefix.summary.format, Format::plink);
}

TEST(ImportPlink, options_say_what_a_dosage_means) {
  const PlinkFiles files(copies);
  ImportOptions options;
  options.threshold = 1;
  options.drop_columns = {"rs2"};
  EXPECT_EQ(import_file(files.bed(), options).table, (Table{"000", "1?0", "000", "001", "?00"}));
  options = {};
  options.missing_tokens = {"2"};
  EXPECT_EQ(import_file(files.bed(), options).table,
            (Table{"01?0", "??10", "0000", "111?", "?0?0"}));
}

TEST(ImportPlink, numbers_are_copies_of_the_allele) {
  const PlinkFiles files(copies);
  DosageRows sink;
  static_cast<void>(import_dense(files.prefix(), {}, sink));
  std::string text;
  for (const double value : sink.values) {
    text += std::isnan(value) ? "?" : std::to_string(static_cast<int>(value));
  }
  EXPECT_EQ(text,
            "0120"
            "2?10"
            "0000"
            "1112"
            "?020");
}

TEST(ImportPlink, rows_are_named_after_persons) {
  class KeptNames final : public SampleSink {
   public:
    void begin(const std::vector<std::string>& /*names*/) override {}
    void append(const BitColumns& /*values*/, const BitColumns* /*missing*/) override {}
    void name_rows(const RowNames& names) override {
      for (std::size_t row = 0; row < names.size(); ++row) found.emplace_back(names.at(row));
    }
    std::vector<std::string> found;
  };
  const PlinkFiles files(copies);
  const auto names = [&] {
    KeptNames sink;
    static_cast<void>(import_samples(files.bed(), {}, sink));
    return sink.found;
  };
  EXPECT_EQ(names(), (std::vector<std::string>{"p0", "p1", "p2", "p3", "p4"}));
  files.write("t.fam", "f 1 0 0 1 1\nf 2 0 0 1 1\nf 3 0 0 1 1\ng 1 0 0 1 1\ng 2 0 0 1 1\n");
  EXPECT_EQ(names(), (std::vector<std::string>{"f 1", "f 2", "f 3", "g 1", "g 2"}));
}

TEST(ImportPlink, reads_many_stripes_of_rows) {
  Table rows(70'001, "00");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r][0] = "012?"[r * r % 4];
    rows[r][1] = "01?2"[r % 7 % 4];
  }
  Table wanted = rows;
  for (std::string& row : wanted) std::ranges::replace(row, '2', '1');
  EXPECT_EQ(import_file(PlinkFiles(rows).bed()).table, wanted);
}

TEST(ImportPlink, the_three_files_must_be_there_and_agree) {
  const PlinkFiles files(copies);
  const auto message = [&] { return message_from<InputError>(files.bed(), {}); };
  files.write("t.fam", fam_of(4));
  expect_parts(message(), {"t.bed", "11 bytes", "4 persons", "7 bytes", "other files"});
  files.write("t.fam", fam_of(9));
  expect_parts(message(), {"truncated"});
  files.write("t.fam", "f p 0 0 1\n");
  expect_parts(message(), {"t.fam", "line 1 has 5 fields", "six"});
  files.write("t.fam", fam_of(5));
  files.write("t.bim", bim_of(3) + "1 rs1 0 7 A C\n");
  expect_parts(message(), {"t.bim", "lines 2 and 4", "'rs1'", "--set-missing-var-ids"});
  files.write("t.bim", "");
  expect_parts(message(), {"no columns"});
  files.remove("t.bim");
  expect_parts(message(), {"t.bim", "does not exist", ".fam"});
}

TEST(ImportPlink, refuses_other_contents) {
  const PlinkFiles files(copies);
  ImportOptions options;
  options.format = Format::plink;
  const auto message = [&](const std::string& content) {
    files.write("t.bed", content);
    return message_from<InputError>(files.bed(), options);
  };
  const std::string bed = bed_of(copies);
  for (std::size_t n = 1; n < 3; ++n) expect_parts(message(bed.substr(0, n)), {"6C 1B 01"});
  for (std::size_t n = 3; n < bed.size(); ++n) {
    expect_parts(message(bed.substr(0, n)), {"t.bed", "truncated"});
  }
  expect_parts(message(bed + "x"), {"other files"});
  std::string by_persons = bed;
  by_persons[2] = '\0';
  expect_parts(message(by_persons), {"one person after another", "--make-bed"});
  by_persons[2] = '\7';
  expect_parts(message(by_persons), {"6C 1B 01"});
  expect_parts(message("chr1\t100\t200\n"), {"6C 1B 01"});  // the other format of this name
}

}  // namespace
}  // namespace orrery::data::testing
