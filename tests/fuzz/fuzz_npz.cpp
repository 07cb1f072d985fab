// Archives of arrays: as they come, and made of members whose content comes, so that the checksums
// of the archive are right and the reader of arrays and of sparse matrices is reached.
#include <fuzzer/FuzzedDataProvider.h>
#include <zip.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/import_tables.hpp"
#include "orrery/data/import.hpp"
#include "sinks.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

constexpr std::array member_names{"format.npy",  "shape.npy",  "data.npy",
                                  "indices.npy", "indptr.npy", "row.npy",
                                  "col.npy",     "a.npy",      "b"};

std::string array_of(FuzzedDataProvider& input) {
  const std::string dtype = input.PickValueInArray(
      {"|S3", "<i4", "<i8", "<f8", "|u1", "|b1", ">i2", "<u8", "<U3", "|i1"});
  const std::string shape =
      input.PickValueInArray({"()", "(2,)", "(3,)", "(4,)", "(2, 2)", "(3, 3)", "(1000000000, 2)"});
  const bool fortran = input.ConsumeBool();
  std::string header = "{'descr': '" + dtype +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  std::string values;
  switch (input.ConsumeIntegralInRange<int>(0, 2)) {
    case 0:
      values = input.PickValueInArray({"csr", "csc", "coo", "bsr"});
      break;
    case 1:
      for (int n = input.ConsumeIntegralInRange<int>(0, 9); n > 0; --n) {
        values += static_cast<char>(input.ConsumeIntegralInRange<int>(0, 4));
        values.append(dtype == "<i8" ? 7 : dtype == "<i4" ? 3 : 0, '\0');
      }
      break;
    default:
      values = input.ConsumeRandomLengthString(80);
  }
  const std::string preamble("\x93NUMPY\x01\0\x76\0", 10);
  return preamble + header + values;
}

void write_archive(const ScratchFile& file, FuzzedDataProvider& input) {
  std::vector<std::string> contents;
  const auto n_members = input.ConsumeIntegralInRange<std::size_t>(0, 6);
  contents.reserve(n_members);
  file.write("");
  zip_t* const archive = zip_open(file.path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  require(archive != nullptr);
  for (std::size_t i = 0; i < n_members; ++i) {
    const char* const name =
        i < 5 && input.ConsumeBool() ? member_names[i] : input.PickValueInArray(member_names);
    contents.push_back(input.ConsumeBool() ? array_of(input)
                                           : input.ConsumeRandomLengthString(300));
    zip_source_t* const source =
        zip_source_buffer(archive, contents.back().data(), contents.back().size(), 0);
    if (zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8) < 0) zip_source_free(source);
  }
  require(zip_close(archive) == 0);
}

template <class Sink, class Import>
void import_with(const ScratchFile& file, const Import& import) {
  data::ImportOptions options;
  options.format = data::Format::npz;
  options.memory_bytes = 1;
  for (const bool has_options : {false, true}) {
    if (has_options) {
      options.missing_tokens = {"9", "nan"};
      options.dataset = "a";
    }
    Sink sink;
    try {
      refused_or(file.path(), [&] { return import(file.path(), options, sink); });
    } catch (const EnvironmentError&) {
      require(sink.n_rows() > 0);
    } catch (const UsageError&) {
      require(has_options);
    }
  }
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  static const fuzz::ScratchFile file;
  if (n > 4 && bytes[0] == 'P' && bytes[1] == 'K') {
    file.write({reinterpret_cast<const char*>(bytes), n});
  } else {
    FuzzedDataProvider input(bytes, n);
    fuzz::write_archive(file, input);
  }
  fuzz::import_with<fuzz::CheckingBits>(file, data::import_samples);
  fuzz::import_with<fuzz::CheckingNumbers>(file, data::import_dense);
  return 0;
}
