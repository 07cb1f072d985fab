// Purpose: archives of NPY arrays (numpy.savez, savez_compressed), of which one is the table, and
// sparse matrices that SciPy saved (scipy.sparse.save_npz: CSR, CSC, COO).
// Members are unpacked as they are read, several at a time, in bounded memory. What the archive
// says of a member's size must be what the array's header says: a few bytes cannot become a
// terabyte that nobody announced.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/npy_array.hpp"
#include "data/readers.hpp"
#include "data/stream_tables.hpp"
#include "data/zip_archive.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::string_view npy_extension = ".npy";
using Archive = std::shared_ptr<const ZipArchive>;

// ------------------------------------------------------------------------ an array of an archive

/// At the beginning of its values.
struct OpenedArray {
  ZipMember member;
  NpyHeader header;
  std::uint64_t data_begin = 0;
};

OpenedArray open_array(const Archive& archive, const ZipArchive::Member& listed) {
  OpenedArray array{ZipMember(archive, listed), {}, 0};
  const std::string what = array.member.describe();
  std::array<unsigned char, npy_preamble_bytes> first{};
  const std::uint64_t n_first = std::min<std::uint64_t>(first.size(), listed.n_bytes);
  array.member.read(n_first, first.data());
  const std::string_view beginning(reinterpret_cast<const char*>(first.data()),
                                   static_cast<std::size_t>(n_first));
  const NpyPreamble preamble = parse_npy_preamble(what, beginning);
  array.data_begin = preamble.header_begin + preamble.header_bytes;
  if (array.data_begin > listed.n_bytes) {
    throw InputError(
        fmt::format("{}: truncated: the NPY header ends at byte {}, the array at {}; write the "
                    "file again",
                    what, array.data_begin, listed.n_bytes));
  }
  std::string text(beginning.substr(std::min<std::uint64_t>(preamble.header_begin, n_first)));
  text.resize(static_cast<std::size_t>(preamble.header_bytes));
  const std::uint64_t n_have =
      std::min<std::uint64_t>(n_first - preamble.header_begin, text.size());
  array.member.read(text.size() - n_have, reinterpret_cast<unsigned char*>(text.data() + n_have));
  array.header = parse_npy_header(what, text);
  const std::uint64_t n_bytes = array.header.n_bytes(what);
  if (listed.n_bytes - array.data_begin != n_bytes) {
    throw InputError(fmt::format(
        "{}: the header announces {} bytes of values, the archive has {}; nothing is unpacked "
        "beyond what is announced: write the file again",
        what, n_bytes, listed.n_bytes - array.data_begin));
  }
  return array;
}

std::uint64_t n_values(const NpyHeader& header, const std::string& what) {
  return header.item_bytes == 0 ? 0 : header.n_bytes(what) / header.item_bytes;
}

class NpzStream final : public NumberStream {
 public:
  explicit NpzStream(OpenedArray array)
      : NumberStream(array.member.describe(), n_values(array.header, array.member.describe()),
                     array.header.kind != 'f'),
        array_(std::move(array)),
        load_(number_loader(array_.header)) {}

  void finish() override { array_.member.finish(); }

 protected:
  void rewind() override {
    array_.member.restart();
    std::vector<unsigned char> header(static_cast<std::size_t>(array_.data_begin));
    array_.member.read(header.size(), header.data());
  }
  void read(std::span<double> values) override {
    const std::uint64_t item_bytes = array_.header.item_bytes;
    bytes_.resize(static_cast<std::size_t>(values.size() * item_bytes));
    array_.member.read(bytes_.size(), bytes_.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = load_(bytes_.data() + i * item_bytes, array_.header.is_big_endian);
    }
  }

 private:
  OpenedArray array_;
  LoadNumber load_;
  std::vector<unsigned char> bytes_;
};

// --------------------------------------------------------------------------- which array it is

/// Without ".npy".
std::string array_name(const ZipArchive::Member& member) {
  return member.name.substr(0, member.name.size() - npy_extension.size());
}

std::vector<const ZipArchive::Member*> arrays_of(const ZipArchive& archive) {
  std::vector<const ZipArchive::Member*> arrays;
  for (const ZipArchive::Member& member : archive.members()) {
    if (member.name.ends_with(npy_extension)) arrays.push_back(&member);
  }
  if (arrays.empty()) {
    throw InputError(fmt::format(
        "{}: a zip archive without NumPy arrays; if it is a spreadsheet (.xlsx, .ods), save the "
        "table as CSV",
        archive.file()));
  }
  return arrays;
}

std::string list_of(const std::vector<const ZipArchive::Member*>& arrays) {
  std::vector<std::string> names;
  for (const ZipArchive::Member* array : arrays) names.emplace_back(array_name(*array));
  return list_in_quotes(names);
}

const ZipArchive::Member& choose_array(const ZipArchive& archive, const std::string& wanted) {
  const auto arrays = arrays_of(archive);
  if (wanted.empty() && arrays.size() == 1) return *arrays.front();
  for (const ZipArchive::Member* array : arrays) {
    if (!wanted.empty() && (array->name == wanted || array_name(*array) == wanted)) return *array;
  }
  throw InputError(
      wanted.empty() ? fmt::format("{}: holds {} arrays, {}; name the table with --dataset NAME",
                                   archive.file(), arrays.size(), list_of(arrays))
                     : fmt::format("{}: --dataset {}: there is no such array; the archive holds {}",
                                   archive.file(), in_quotes(wanted), list_of(arrays)));
}

SourceOfTable open_dense(const Archive& archive, const std::string& wanted) {
  OpenedArray array = open_array(archive, choose_array(*archive, wanted));
  require_table(array.member.describe(), array.header);
  const NpyHeader header = array.header;
  TableFrame frame{archive->file(),
                   default_names(static_cast<std::size_t>(header.n_columns)),
                   header.n_rows,
                   {}};
  auto stream = std::make_unique<NpzStream>(std::move(array));
  return header.fortran_order ? dense_by_columns(std::move(frame), std::move(stream))
                              : dense_by_rows(std::move(frame), std::move(stream));
}

// ------------------------------------------------------------------------------ sparse matrices

bool is_sparse(const ZipArchive& archive) {
  const auto has = [&](const char* name) { return archive.find(name) != nullptr; };
  return has("format.npy") && has("shape.npy") && has("data.npy");
}

std::unique_ptr<NumberStream> open_list(const Archive& archive, const std::string& name) {
  const ZipArchive::Member* const member = archive->find(name + ".npy");
  if (member == nullptr) {
    throw InputError(fmt::format(
        "{}: a sparse matrix without the array '{}'; save it again with scipy.sparse.save_npz",
        archive->file(), name));
  }
  OpenedArray array = open_array(archive, *member);
  if (array.header.shape.size() != 1 || !array.header.holds_numbers()) {
    throw InputError(fmt::format(
        "{}: must be a list of numbers; save the matrix again with scipy.sparse.save_npz",
        array.member.describe()));
  }
  return std::make_unique<NpzStream>(std::move(array));
}

/// "csr"
std::string read_format(const Archive& archive) {
  OpenedArray array = open_array(archive, *archive->find("format.npy"));
  constexpr std::uint64_t longest = 64;
  const std::uint64_t n_bytes = array.header.n_bytes(array.member.describe());
  std::string text;
  if (!array.header.holds_numbers() && n_bytes <= longest) {
    std::string bytes(static_cast<std::size_t>(n_bytes), '\0');
    array.member.read(n_bytes, reinterpret_cast<unsigned char*>(bytes.data()));
    std::ranges::copy_if(bytes, std::back_inserter(text), [](char c) { return c != '\0'; });
  }
  return text;
}

/// Rows and columns.
std::array<std::uint64_t, 2> read_shape(const Archive& archive) {
  constexpr std::uint64_t most = std::uint64_t{1} << 48U;
  const std::unique_ptr<NumberStream> shape = open_list(archive, "shape");
  if (shape->size() != 2 || !shape->holds_integers()) {
    throw InputError(
        fmt::format("{}: must be two whole numbers; save the matrix again with "
                    "scipy.sparse.save_npz",
                    shape->name()));
  }
  const std::uint64_t n_rows = shape->next_index(most);
  return {n_rows, shape->next_index(most)};
}

SourceOfTable open_sparse(const Archive& archive) {
  const std::string format = read_format(archive);
  if (format != "csr" && format != "csc" && format != "coo") {
    throw InputError(
        fmt::format("{}: a sparse matrix of the format {}, read are csr, csc and coo; save it with "
                    ".tocsr()",
                    archive->file(), in_quotes(format)));
  }
  const auto [n_rows, n_columns] = read_shape(archive);
  require_column_count(archive->file(), n_columns, true);
  TableFrame frame{archive->file(), default_names(static_cast<std::size_t>(n_columns)), n_rows, {}};
  if (format == "coo") {
    return sparse_entries(std::move(frame), {open_list(archive, "data"), open_list(archive, "row"),
                                             open_list(archive, "col")});
  }
  CompressedArrays arrays{open_list(archive, "data"), open_list(archive, "indices"),
                          open_list(archive, "indptr")};
  return format == "csr" ? sparse_by_rows(std::move(frame), std::move(arrays))
                         : sparse_by_columns(std::move(frame), std::move(arrays));
}

SourceOfTable open_npz(const std::filesystem::path& path, const ImportOptions& options) {
  const auto archive = std::make_shared<const ZipArchive>(path);
  if (!is_sparse(*archive)) return open_dense(archive, options.dataset);
  if (!options.dataset.empty()) {
    throw UsageError(fmt::format("--dataset {}: {} holds one sparse matrix; leave the option out",
                                 in_quotes(options.dataset), archive->file()));
  }
  return open_sparse(archive);
}

}  // namespace

bool reads_npz() noexcept { return true; }

ImportSummary import_npz(const std::filesystem::path& path, const ImportOptions& options,
                         SampleSink& sink) {
  return import_bits(open_npz(path, options), Format::npz, options, sink);
}

DenseImportSummary import_dense_npz(const std::filesystem::path& path, const ImportOptions& options,
                                    DenseSink& sink) {
  return import_numbers(open_npz(path, options), Format::npz, options, sink);
}

}  // namespace orrery::data
