// Archives of NPY arrays, with sparse matrices among them, and HDF5 files of other programs.
#include <fmt/format.h>
#include <zip.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "malformed.hpp"
#include "store/foreign_files.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;
using Members = std::vector<std::pair<std::string, std::string>>;
using Numbers = std::vector<double>;
using Indices = std::vector<std::int64_t>;

/// Away when its content has been read.
class Scratch {
 public:
  Scratch() : path_(std::filesystem::temp_directory_path() / "orrery-malformed-archive") {}
  ~Scratch() { std::filesystem::remove(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

std::string archive_of(const Members& members) {
  const Scratch scratch;
  zip_t* const archive = zip_open(scratch.path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  if (archive == nullptr) throw std::runtime_error("no archive can be made");
  for (const auto& [name, content] : members) {
    zip_source_t* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    zip_file_set_mtime(archive, static_cast<zip_uint64_t>(index), 1'000'000'000, 0);
  }
  if (zip_close(archive) != 0) throw std::runtime_error("an archive cannot be written");
  return content_of(scratch.path());
}

std::string array(std::string_view dtype, std::string_view shape, std::string_view values) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, shape);
  header.resize(117, ' ');
  return "\x93NUMPY\x01\0\x76\0"s + header + "\n" + std::string(values);
}

template <class T>
std::string list(std::string_view dtype, const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return array(dtype, fmt::format("({},)", values.size()), bytes);
}

/// 3 x 3, whatever else it is.
Members sparse(std::string_view format, const Numbers& data, const Indices& indices,
               const Indices& pointers, const Indices& shape = {3, 3}) {
  const bool is_coo = format == "coo";
  return {{"format.npy", array(fmt::format("|S{}", format.size()), "()", format)},
          {"shape.npy", list("<i8", shape)},
          {"data.npy", list("<f8", data)},
          {is_coo ? "row.npy" : "indices.npy", list("<i8", indices)},
          {is_coo ? "col.npy" : "indptr.npy", list("<i8", pointers)}};
}
Members good_sparse() { return sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3, 3}); }

void add_archives(MalformedFiles& files) {
  const std::string good = archive_of(good_sparse());
  for (std::size_t part = 1; part < 16; ++part) {
    files.add(fmt::format("cut_at_{}.npz", part), good.substr(0, good.size() * part / 16));
  }
  files.add("without_members.npz", "PK\x05\x06"s + std::string(18, '\0'));
  files.add("no_arrays.npz", archive_of({{"xl/workbook.xml", "<workbook/>"}}));
  files.add("two_arrays.npz", archive_of({{"a.npy", array("|u1", "(2, 2)", "\0\1\1\0"s)},
                                          {"b.npy", array("|u1", "(2, 2)", "\0\1\1\0"s)}}));
  const std::vector<std::pair<std::string, std::string>> arrays{
      {"empty", ""},
      {"text", "0,1,0\n1,1,0\n"},
      {"magic_alone", "\x93NUMPY"},
      {"cut_header", array("|u1", "(2, 2)", "").substr(0, 60)},
      {"one_byte_less", array("|u1", "(2, 2)", "\0\1\1"s)},
      {"one_byte_more", array("|u1", "(2, 2)", "\0\1\1\0\0"s)},
      {"three_dimensions", array("|u1", "(1, 2, 2)", "\0\1\1\0"s)},
      {"objects", array("|O", "(2, 2)", "\0\1\1\0"s)},
      {"texts", array("|S1", "(2, 2)", "\0\1\1\0"s)},
      {"no_rows", array("|u1", "(0, 2)", "")},
      {"one_column", array("|u1", "(4, 1)", "\0\1\1\0"s)},
      {"value_2", array("|u1", "(2, 2)", "\0\1\2\0"s)},
      {"a_terabyte", array("|u1", "(1000000, 1000000)", std::string(1'000'000, '\0'))},
      {"beyond_64_bits", array("<f8", "(18446744073709551615, 4)", std::string(32, '\0'))},
  };
  for (const auto& [name, content] : arrays) {
    files.add("array_" + name + ".npz", archive_of({{"a.npy", content}}));
  }
}

void add_sparse(MalformedFiles& files) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, Members>> matrices{
      {"format_bsr", sparse("bsr", {1}, {0}, {0, 1, 1, 1})},
      {"format_empty", sparse("", {1}, {0}, {0, 1, 1, 1})},
      {"format_long", sparse(std::string(100, 'c'), {1}, {0}, {0, 1, 1, 1})},
      {"pointers_too_few", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3})},
      {"pointers_too_many", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3, 3, 3})},
      {"pointers_none", sparse("csr", {1, 1, 1}, {1, 2, 0}, {})},
      {"pointers_fall", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 3, 1, 3})},
      {"pointers_from_1", sparse("csr", {1, 1, 1}, {1, 2, 0}, {1, 1, 3, 3})},
      {"pointers_negative", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, -1, 3, 3})},
      {"pointers_beyond", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3, 4})},
      {"index_3", sparse("csr", {1, 1, 1}, {1, 3, 0}, {0, 1, 3, 3})},
      {"index_negative", sparse("csr", {1, 1, 1}, {1, -2, 0}, {0, 1, 3, 3})},
      {"index_twice", sparse("csr", {1, 1, 1}, {1, 2, 2}, {0, 1, 3, 3})},
      {"index_too_few", sparse("csr", {1, 1, 1}, {1, 2}, {0, 1, 3, 3})},
      {"value_2", sparse("csr", {1, 2, 1}, {1, 2, 0}, {0, 1, 3, 3})},
      {"value_nan", sparse("csr", {1, nan, 1}, {1, 2, 0}, {0, 1, 3, 3})},
      {"value_infinite", sparse("csr", {1, infinite, 1}, {1, 2, 0}, {0, 1, 3, 3})},
      {"columns_index_3", sparse("csc", {1, 1, 1}, {1, 3, 0}, {0, 1, 3, 3})},
      {"columns_index_twice", sparse("csc", {1, 1, 1}, {1, 2, 2}, {0, 1, 3, 3})},
      {"columns_pointers_too_few", sparse("csc", {1, 1, 1}, {1, 2, 0}, {0, 1, 3})},
      {"entry_twice", sparse("coo", {1, 1}, {1, 1}, {2, 2})},
      {"entry_outside", sparse("coo", {1, 1}, {1, 3}, {2, 2})},
      {"entry_without_column", sparse("coo", {1, 1}, {1, 0}, {2})},
      {"shape_of_one", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3, 3}, {3})},
      {"shape_negative", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3, 3}, {-3, 3})},
      {"shape_huge", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3, 3}, {1L << 60, 3})},
      {"shape_wide", sparse("csr", {1, 1, 1}, {1, 2, 0}, {0, 1, 3, 3}, {3, 1L << 40})},
      {"shape_without_rows", sparse("coo", {1}, {0}, {0}, {0, 3})},
      {"entries_of_a_huge_shape", sparse("coo", {1}, {0}, {0}, {1L << 47, 3})},
  };
  for (const auto& [name, members] : matrices) {
    files.add("sparse_" + name + ".npz", archive_of(members));
  }
  for (std::size_t i = 3; i < 5; ++i) {
    Members members = good_sparse();
    members[i].second = list<double>("<f8", {0, 1, 2, 2});
    files.add(fmt::format("sparse_real_{}.npz", members[i].first), archive_of(members));
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(i));
    files.add(fmt::format("sparse_lacks_{}.npz", good_sparse()[i].first), archive_of(members));
  }
}

// ------------------------------------------------------------------------------- other programs'
// HDF5

using Write = std::function<void(store::ForeignWriter&)>;

std::string foreign_of(const Write& write) {
  const Scratch scratch;
  {
    store::ForeignWriter writer(scratch.path());
    write(writer);
  }
  return content_of(scratch.path());
}

Write matrix(std::string encoding, Numbers data, Numbers indices, Numbers pointers,
             std::vector<std::int64_t> shape = {3, 3}) {
  return [=](store::ForeignWriter& file) {
    file.group("/X");
    file.text_attribute("/X", "encoding-type", encoding);
    file.shape_attribute("/X", shape);
    file.numbers("/X/data", data, {data.size()});
    file.numbers("/X/indices", indices, {indices.size()}, H5T_NATIVE_INT64);
    file.numbers("/X/indptr", pointers, {pointers.size()}, H5T_NATIVE_INT64);
  };
}

}  // namespace

void add_malformed_npz(MalformedFiles& files) {
  add_archives(files);
  add_sparse(files);
}

void add_malformed_foreign(MalformedFiles& files) {
  const Numbers ones{1, 1, 1};
  const std::vector<std::pair<std::string, Write>> tables{
      {"empty", [](auto&) {}},
      {"list",
       [](auto& file) {
         file.numbers("/a", {0, 1}, {2});
       }},
      {"three_dimensions",
       [](auto& file) {
         file.numbers("/a", {0, 1, 1, 0}, {1, 2, 2});
       }},
      {"texts",
       [](auto& file) {
         file.texts("/a", {"0", "1"});
       }},
      {"two_tables",
       [](auto& file) {
         file.numbers("/a", {0, 1, 1, 0}, {2, 2});
         file.numbers("/b", {0, 1, 1, 0}, {2, 2});
       }},
      {"value_2",
       [](auto& file) {
         file.numbers("/a", {0, 1, 2, 0}, {2, 2});
       }},
      {"one_column",
       [](auto& file) {
         file.numbers("/a", {0, 1, 1, 0}, {4, 1});
       }},
      {"no_rows",
       [](auto& file) {
         file.numbers("/a", {}, {0, 4});
       }},
      {"wide",
       [](auto& file) {
         file.numbers("/a", {}, {2, 9'999'999});
       }},
      {"huge",
       [](auto& file) {
         file.numbers("/a", {}, {1UL << 50, 4}, H5T_NATIVE_DOUBLE, {16, 4});
       }},
      {"ours", [](auto& file) { file.text_attribute("/", "format", "orrery"); }},
      {"unknown_encoding", matrix("bsr_matrix", ones, {1, 2, 0}, {0, 1, 3, 3})},
      {"pointers_too_few", matrix("csr_matrix", ones, {1, 2, 0}, {0, 1, 3})},
      {"pointers_fall", matrix("csr_matrix", ones, {1, 2, 0}, {0, 3, 1, 3})},
      {"pointers_beyond", matrix("csr_matrix", ones, {1, 2, 0}, {0, 1, 3, 4})},
      {"index_3", matrix("csr_matrix", ones, {1, 3, 0}, {0, 1, 3, 3})},
      {"index_negative", matrix("csr_matrix", ones, {1, -1, 0}, {0, 1, 3, 3})},
      {"index_twice", matrix("csr_matrix", ones, {1, 2, 2}, {0, 1, 3, 3})},
      {"index_too_few", matrix("csr_matrix", ones, {1, 2}, {0, 1, 3, 3})},
      {"columns_index_3", matrix("csc_matrix", ones, {1, 3, 0}, {0, 1, 3, 3})},
      {"columns_index_twice", matrix("csc_matrix", ones, {1, 2, 2}, {0, 1, 3, 3})},
      {"shape_negative", matrix("csr_matrix", ones, {1, 2, 0}, {0, 1, 3, 3}, {-3, 3})},
      {"shape_of_one", matrix("csr_matrix", ones, {1, 2, 0}, {0, 1, 3, 3}, {9})},
      {"shape_huge", matrix("csc_matrix", ones, {1, 2, 0}, {0, 1, 3, 3}, {1L << 60, 3})},
      {"value_2_of_a_matrix", matrix("csr_matrix", {1, 2, 1}, {1, 2, 0}, {0, 1, 3, 3})},
  };
  for (const auto& [name, write] : tables) files.add(name + ".h5", foreign_of(write));
  const std::string good = foreign_of(matrix("csr_matrix", ones, {1, 2, 0}, {0, 1, 3, 3}));
  for (std::size_t part = 1; part < 16; ++part) {
    files.add(fmt::format("cut_at_{}.h5", part), good.substr(0, good.size() * part / 16));
  }
}

}  // namespace orrery::fuzz
