// Purpose: the format of a file, its reader, and the formats' names.
#include "orrery/data/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/memory_limit.hpp"
#include "data/cells.hpp"
#include "data/dialect.hpp"
#include "data/npy_array.hpp"
#include "data/readers.hpp"
#include "data/text_sources.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 13> format_names{{
    {"auto", Format::automatic},
    {"csv", Format::csv},
    {"tsv", Format::tsv},
    {"rows", Format::rows},
    {"mtx", Format::mtx},
    {"npy", Format::npy},
    {"npz", Format::npz},
    {"hdf5", Format::hdf5},
    {"plink", Format::plink},
    {"svmlight", Format::svmlight},
    {"arff", Format::arff},
    {"long", Format::long_table},
    {"text", Format::text},
}};

ImportSummary import_as(Format format, const std::filesystem::path& path, TextReader& text,
                        const ImportOptions& options, SampleSink& sink) {
  switch (format) {
    case Format::rows:
      return import_rows(text, options, sink);
    case Format::mtx:
      return import_mtx(text, options, sink);
    case Format::npy:
      return import_npy(path, options, sink);
    case Format::npz:
      return import_npz(path, options, sink);
    case Format::plink:
      return import_plink(path, options, sink);
    case Format::svmlight:
    case Format::arff:
    case Format::long_table:
    case Format::text:
      return import_text_source(text, format, options, sink);
    default:
      return import_delimited(text, format, options, sink);
  }
}

}  // namespace

ImportSummary import_samples(const std::filesystem::path& given, const ImportOptions& options,
                             SampleSink& sink) {
  const std::filesystem::path path = plink_file(given);
  try {
    TextReader text(path);
    const Format format = recognise(path, text, options, true);
    refuse_options_of_others(format, options);
    if (format == Format::rows && !(options.on_tokens.empty() && options.off_tokens.empty())) {
      throw UsageError(fmt::format(
          "--on, --off: {} was read as {}, which are 0 and 1; leave these out, or name the format "
          "with --format csv",
          path.string(), format_name(format)));
    }
    return import_as(format, path, text, options, sink);
  } catch (const std::bad_alloc&) {
    throw EnvironmentError(
        fmt::format("{}: not enough memory to import it: {}; run where more is free", path.string(),
                    describe_memory_in_use()));
  }
}

Format parse_format(const std::string& name) {
  for (const auto& [known, format] : format_names) {
    if (known == name) {
      return format;
    }
  }
  throw UsageError(
      fmt::format("--format {}: unknown; known are auto, csv, tsv, rows, mtx, npy, {}hdf5, plink, "
                  "svmlight, arff, long and text for samples, edges for a network",
                  in_quotes(name), reads_npz() ? "npz, " : ""));
}

std::string format_name(Format format) {
  for (const auto& [name, known] : format_names) {
    if (known == format) {
      return std::string(name);
    }
  }
  return "unknown";
}

// Content decides first (NPY and MatrixMarket begin with a magic word), then the name's extension,
// then the first line.

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 12> extensions{{
    {".csv", Format::csv},
    {".tsv", Format::tsv},
    {".tab", Format::tsv},
    {".rows", Format::rows},
    {".mtx", Format::mtx},
    {".npy", Format::npy},
    {".npz", Format::npz},
    {".bed", Format::plink},
    {".arff", Format::arff},
    {".svmlight", Format::svmlight},
    {".libsvm", Format::svmlight},
    {".svm", Format::svmlight},
}};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

Format format_of_extension(std::filesystem::path path) {
  if (lower_case(path.extension().string()) == ".gz") {
    path.replace_extension();
  }
  const std::string extension = lower_case(path.extension().string());
  for (const auto& [known, format] : extensions) {
    if (known == extension) {
      return format;
    }
  }
  return Format::automatic;
}

// Files that are often given by mistake, and that the user can convert.
void refuse_known_binaries(const std::string& file, std::string_view content) {
  const auto refuse = [&](std::string_view what) {
    throw InputError(fmt::format("{}: {}", file, what));
  };
  if (content.starts_with("\x89HDF")) {
    refuse("already an HDF5 file; if orrery wrote it, give it to the next command as it is");
  }
  if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF")) {
    refuse("UTF-16 text; convert it, e.g. `iconv -f utf-16 -t utf-8`");
  }
}

bool is_row_of_characters(std::string_view line, const ImportOptions& options) {
  const CellReader cells(options.missing_tokens);
  return std::all_of(line.begin(), line.end(), [&](char c) {
    return c == '0' || c == '1' || cells.classify(c) == Cell::missing;
  });
}

Format format_of_first_line(const std::string& file, std::string_view content,
                            const ImportOptions& options, bool may_be_rows) {
  if (begins_as_svmlight(content)) return Format::svmlight;
  const char delimiter = dialect_of(content, Format::automatic, options, '\0').delimiter;
  if (delimiter != '\0') return delimiter == '\t' ? Format::tsv : Format::csv;
  const std::string_view line = trimmed(content.substr(0, content.find_first_of("\r\n")));
  if (may_be_rows && is_row_of_characters(line, options)) return Format::rows;
  throw InputError(fmt::format(
      "{}: the format is not recognised; its first line is {}; separate the values by commas, tabs "
      "or semicolons, or name what separates them with --delimiter, or the format with --format {}",
      file, in_quotes(line),
      fmt::format("csv|tsv|{}mtx|npy|{}svmlight|arff|long|text", may_be_rows ? "rows|" : "",
                  reads_npz() ? "npz|" : "")));
}

Format format_of_content(const std::filesystem::path& path, const std::string& file,
                         std::string_view content, const ImportOptions& options, bool may_be_rows) {
  if (content.starts_with(npy_magic)) {
    return Format::npy;
  }
  if (content.starts_with("PK\x03\x04") || content.starts_with("PK\x05\x06")) {
    return Format::npz;
  }
  if (content.starts_with("\x6C\x1B")) {
    return Format::plink;
  }
  constexpr std::string_view mtx_magic = "%%matrixmarket";
  if (lower_case(std::string(content.substr(0, mtx_magic.size()))) == mtx_magic) {
    return Format::mtx;
  }
  if (begins_as_arff(content)) return Format::arff;
  const Format by_name = format_of_extension(path);
  return by_name != Format::automatic ? by_name
                                      : format_of_first_line(file, content, options, may_be_rows);
}

}  // namespace

Format recognise(const std::filesystem::path& path, TextReader& text, const ImportOptions& options,
                 bool may_be_rows) {
  const std::string_view content = text.peek();
  if (options.format == Format::hdf5) {
    throw UsageError("--format hdf5: is read by the command `orrery import` alone");
  }
  if (content.empty()) {
    throw InputError(fmt::format("{}: the file is empty; was it written completely?", text.file()));
  }
  refuse_known_binaries(text.file(), content);
  const Format format = options.format != Format::automatic
                            ? options.format
                            : format_of_content(path, text.file(), content, options, may_be_rows);
  const bool is_read_in_place =
      format == Format::npy || format == Format::npz || format == Format::plink;
  if (is_read_in_place && path == "-") {
    throw InputError(
        fmt::format("standard input: a file of the format {} is read in place; save it to a file",
                    format_name(format)));
  }
  if (is_read_in_place && text.is_compressed()) {
    throw InputError(
        fmt::format("{}: a compressed {} file cannot be read in place; unpack it with `gunzip -k`",
                    path.string(), format == Format::npy ? "NPY" : format_name(format)));
  }
  return format;
}

}  // namespace orrery::data
