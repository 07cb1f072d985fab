// What all formats share: recognition, blocks, counts, gzip, and equality of their results.
#include "orrery/data/import.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

// Records the shape of what is pushed.
class ShapeSink final : public SampleSink {
 public:
  void begin(const std::vector<std::string>& names) override {
    EXPECT_TRUE(names_.empty());
    names_ = names;
  }
  void append(const BitColumns& values, const BitColumns* missing) override {
    EXPECT_EQ(values.n_columns(), names_.size());
    block_rows_.push_back(values.n_rows());
    has_missing_.push_back(missing != nullptr);
    if (missing != nullptr) {
      EXPECT_EQ(missing->n_columns(), values.n_columns());
      EXPECT_EQ(missing->n_rows(), values.n_rows());
    }
    last_ = values;
  }

  std::vector<std::string> names_;
  std::vector<std::size_t> block_rows_;
  std::vector<bool> has_missing_;
  BitColumns last_;
};

TEST(Import, all_formats_give_the_same_table) {
  const ScratchFolder folder;
  const Table table = random_table(131, 67);
  const std::vector<std::filesystem::path> files{
      folder.write("t.csv", as_delimited(table, ',')),
      folder.write("t.tsv", as_delimited(table, '\t')),
      folder.write("t.rows", as_rows(table)),
      folder.write("t.mtx", as_mtx(table)),
      folder.write("c.npy", as_npy(table, "|u1", false)),
      folder.write("f.npy", as_npy(table, "|b1", true)),
  };
  const std::vector<Format> formats{Format::csv, Format::tsv, Format::rows,
                                    Format::mtx, Format::npy, Format::npy};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Imported imported = import_file(files[i]);
    EXPECT_EQ(imported.table, table) << files[i];
    EXPECT_EQ(imported.summary.format, formats[i]) << files[i];
    EXPECT_EQ(imported.summary.names.front(), "x0");
    EXPECT_EQ(imported.summary.names.back(), "x66");
  }
}

TEST(Import, all_formats_with_missing_values_give_the_same_table) {
  const ScratchFolder folder;
  const Table table = random_table(131, 67, true);
  EXPECT_EQ(import_file(folder.write("t.csv", as_delimited(table, ','))).table, table);
  EXPECT_EQ(import_file(folder.write("t.tsv", as_delimited(table, '\t'))).table, table);
  EXPECT_EQ(import_file(folder.write("t.rows", as_rows(table))).table, table);
  ImportOptions options;
  options.missing_tokens = {"-1"};
  EXPECT_EQ(import_file(folder.write("c.npy", as_npy(table, "|i1", false)), options).table, table);
  EXPECT_EQ(import_file(folder.write("f.npy", as_npy(table, "|i1", true)), options).table, table);
}

TEST(Import, dropped_columns_are_left_out_in_every_format) {
  const ScratchFolder folder;
  const Table table = random_table(70, 130);
  Table expected = table;
  for (std::string& row : expected) {
    row.erase(129, 1);
    row.erase(64, 1);
    row.erase(0, 1);
  }
  ImportOptions options;
  options.drop_columns = {"x64", "x0", "x129"};
  const std::vector<std::filesystem::path> files{
      folder.write("t.csv", as_delimited(table, ',')), folder.write("t.rows", as_rows(table)),
      folder.write("t.mtx", as_mtx(table)), folder.write("c.npy", as_npy(table, "|u1", false)),
      folder.write("f.npy", as_npy(table, "|u1", true))};
  for (const auto& file : files) {
    const Imported imported = import_file(file, options);
    EXPECT_EQ(imported.table, expected) << file;
    EXPECT_EQ(imported.summary.names.size(), 127U);
    EXPECT_EQ(imported.summary.names[0], "x1");
    EXPECT_EQ(imported.summary.names[63], "x65");
  }
}

TEST(Import, counts_ones_and_missing_of_each_column) {
  const auto summary = import_content("t.csv", "a,b,c\n1,?,0\n1,1,NA\n0,,1\n").summary;
  EXPECT_EQ(summary.n_samples, 3U);
  EXPECT_EQ(summary.n_missing, 3U);
  EXPECT_EQ(summary.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(summary.ones, (std::vector<std::uint64_t>{2, 1, 1}));
  EXPECT_EQ(summary.missing, (std::vector<std::uint64_t>{0, 2, 1}));
}

TEST(Import, a_row_beyond_a_block_begins_the_next_in_every_format) {
  constexpr std::size_t n_rows = 65'537;
  ASSERT_EQ(block_rows(3), n_rows - 1);
  const ScratchFolder folder;
  const Table table = random_table(n_rows, 3);
  const std::vector<std::filesystem::path> files{
      folder.write("t.csv", as_delimited(table, ',')), folder.write("t.rows", as_rows(table)),
      folder.write("t.mtx", as_mtx(table)), folder.write("c.npy", as_npy(table, "|u1", false)),
      folder.write("f.npy", as_npy(table, "|u1", true))};
  for (const auto& file : files) {
    ShapeSink sink;
    import_samples(file, {}, sink);
    EXPECT_EQ(sink.block_rows_, (std::vector<std::size_t>{n_rows - 1, 1})) << file;
    EXPECT_EQ(sink.last_.words_per_column(), 1U);
    for (std::size_t c = 0; c < 3; ++c) {
      // The bits beyond the last row are zero, too.
      EXPECT_EQ(sink.last_.column(c)[0], table.back()[c] == '1' ? 1U : 0U) << file;
    }
    EXPECT_EQ(import_file(file).table, table) << file;
  }
}

TEST(Import, an_exactly_full_block_is_the_last) {
  const ScratchFolder folder;
  ShapeSink sink;
  import_samples(folder.write("t.rows", as_rows(random_table(65'536, 2))), {}, sink);
  EXPECT_EQ(sink.block_rows_, (std::vector<std::size_t>{65'536}));
}

TEST(Import, a_block_without_missing_values_has_no_mask) {
  const ScratchFolder folder;
  Table table = random_table(65'600, 3);
  table[10] = "1?0";
  ShapeSink first;
  import_samples(folder.write("first.csv", as_delimited(table, ',')), {}, first);
  EXPECT_EQ(first.has_missing_, (std::vector<bool>{true, false}));
  table[65'599] = "?11";
  const auto both = folder.write("both.csv", as_delimited(table, ','));
  ShapeSink second;
  import_samples(both, {}, second);
  EXPECT_EQ(second.has_missing_, (std::vector<bool>{true, true}));
  EXPECT_EQ(import_file(both).table, table);
}

TEST(Import, reads_gzip_by_content) {
  const ScratchFolder folder;
  const Table table = random_table(300, 20);
  EXPECT_EQ(import_file(folder.write_gzip("t.csv.gz", as_delimited(table, ','))).table, table);
  EXPECT_EQ(import_file(folder.write_gzip("misnamed.csv", as_delimited(table, ','))).table, table);
  EXPECT_EQ(import_file(folder.write_gzip("t.mtx.gz", as_mtx(table))).table, table);
  EXPECT_EQ(import_file(folder.write_gzip("t.txt.gz", as_rows(table))).summary.format,
            Format::rows);
}

TEST(Import, refuses_a_truncated_gzip_file) {
  const ScratchFolder folder;
  const auto path = folder.write_gzip("t.csv.gz", as_delimited(random_table(5000, 20), ','));
  const auto bytes = std::filesystem::file_size(path);
  for (const auto kept : {bytes - 1, bytes - 8, bytes / 2, std::uintmax_t{12}}) {
    std::filesystem::resize_file(path, kept);
    expect_parts(message_from<InputError>(path, {}), {"t.csv.gz", "truncated", "gzip -t"});
  }
}

TEST(Import, refuses_a_damaged_gzip_file) {
  const ScratchFolder folder;
  const auto path = folder.write_gzip("t.csv.gz", as_delimited(random_table(5000, 20), ','));
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-6, std::ios::end);  // within the checksum
    file.put('\x55');
  }
  expect_parts(message_from<InputError>(path, {}), {"t.csv.gz", "damaged", "gzip -t"});
}

TEST(Import, recognises_the_format_by_content_before_the_extension) {
  const Table table{"01", "10"};
  const auto format = [](const std::string& name, const std::string& content) {
    return import_content(name, content).summary.format;
  };
  EXPECT_EQ(format("t.csv", as_mtx(table)), Format::mtx);
  EXPECT_EQ(format("t.txt", as_npy(table, "|u1", false)), Format::npy);
  EXPECT_EQ(format("t.data", "0,1\n1,0\n"), Format::csv);
  EXPECT_EQ(format("t.data", "0\t1\n1\t0\n"), Format::tsv);
  EXPECT_EQ(format("t", "a,1\tb\tc\n1\t0\t1\n"), Format::tsv);
  EXPECT_EQ(format("t.TAB", "a\tb\n1\t0\n"), Format::tsv);
  EXPECT_EQ(format("t.txt", "01\n10\n"), Format::rows);
  EXPECT_EQ(format("t.txt", "0?\n10\n"), Format::rows);
}

TEST(Import, the_option_wins_over_the_extension) {
  ImportOptions options;
  options.format = Format::tsv;
  EXPECT_EQ(import_content("t.csv", "0\t1\n1\t0\n", options).table, (Table{"01", "10"}));
}

TEST(Import, refuses_what_it_cannot_recognise) {
  expect_parts(message_of("t.txt", "0#1#0\n1#0#1\n"),
               {"t.txt", "'0#1#0'", "--delimiter", "--format"});
  expect_parts(message_of("t.h5", "\x89HDF\r\n"), {"HDF5"});
  expect_parts(message_of("t.npz", "PK\x03\x04zip"), {"zip", "zip archive"});
  expect_parts(message_of("t.csv",
                          "\xFF\xFE"
                          "0"),
               {"UTF-16", "iconv"});
}

TEST(Import, refuses_an_empty_a_missing_and_a_folder_path) {
  const ScratchFolder folder;
  expect_parts(message_of("t.csv", ""), {"t.csv", "empty"});
  expect_parts(message_of("t.csv", "\n\n"), {"t.csv", "empty"});
  expect_parts(message_of("t.rows", "\n\n"), {"t.rows", "empty"});
  expect_parts(message_from<InputError>(folder.path() / "absent.csv", {}), {"absent.csv"});
  expect_parts(message_from<InputError>(folder.path(), {}), {"directory"});
}

TEST(Import, refuses_a_column_without_any_value) {
  const std::string message = message_of("t.csv", "a,b,c\n0,?,1\n1,,0\n");
  expect_parts(message, {"t.csv", "'b'", "2 rows", "--drop 'b'"});
  ImportOptions options;
  options.drop_columns = {"b"};
  EXPECT_EQ(import_content("t.csv", "a,b,c\n0,?,1\n1,,0\n", options).table, (Table{"01", "10"}));
}

TEST(Import, refuses_one_column_in_every_format) {
  const Table table{"0", "1"};
  for (const auto& [name, content] :
       std::vector<std::pair<std::string, std::string>>{{"t.csv", "0\n1\n"},
                                                        {"hashes.csv", "a#b\n0#1\n"},
                                                        {"t.txt", "0\n1\n"},
                                                        {"t.mtx", as_mtx(table)},
                                                        {"t.npy", as_npy(table, "|u1", false)}}) {
    expect_parts(message_of(name, content), {name, "one column only", "delimiter", "--format"});
  }
}

TEST(Import, refuses_to_drop_unknown_or_nearly_all_columns) {
  ImportOptions options;
  options.drop_columns = {"c"};
  expect_parts(message_of("t.csv", "a,b\n0,1\n", options), {"--drop 'c'", "'a', 'b'"});
  options.drop_columns = {"a"};
  expect_parts(message_of("t.csv", "a,b\n0,1\n", options), {"--drop leaves 1 of 2"});
}

TEST(Import, zero_and_one_cannot_mean_missing) {
  ImportOptions options;
  options.missing_tokens = {"0"};
  expect_parts(message_of<UsageError>("t.csv", "a,b\n0,1\n", options), {"--missing 0"});
}

TEST(Import, format_names_and_parsing_agree) {
  for (const auto format :
       {Format::csv, Format::tsv, Format::rows, Format::mtx, Format::npy, Format::automatic}) {
    EXPECT_EQ(parse_format(format_name(format)), format);
  }
  try {
    parse_format("xlsx");
    FAIL() << "xlsx is not known";
  } catch (const UsageError& error) {
    expect_parts(error.what(), {"'xlsx'", "csv", "tsv", "rows", "mtx", "npy"});
  }
}

TEST(Import, house_votes_have_435_rows_of_16_votes_and_392_missing) {
  const std::filesystem::path path = ORRERY_SHARED_DATA "/real/house-votes-84.data";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << path << " is absent";
  }
  ImportOptions options;
  options.drop_columns = {"Class"};
  const Imported imported = import_file(path, options);
  EXPECT_EQ(imported.summary.format, Format::csv);
  EXPECT_EQ(imported.summary.n_samples, 435U);
  EXPECT_EQ(imported.summary.names.size(), 16U);
  EXPECT_EQ(imported.summary.names[1], "water-project-cost-sharing");
  EXPECT_EQ(imported.summary.n_missing, 392U);
  EXPECT_EQ(imported.table.front(), "0101110001?11101");
  EXPECT_EQ(imported.table[1], "010111000001110?");
}

}  // namespace
}  // namespace orrery::data::testing
