// Content decides first (NPY and MatrixMarket begin with a magic word), then the name's extension,
// then the first line.
#include "data/recognise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "data/cells.hpp"
#include "data/npy_header.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 6> extensions{{
    {".csv", Format::csv},
    {".tsv", Format::tsv},
    {".tab", Format::tsv},
    {".rows", Format::rows},
    {".mtx", Format::mtx},
    {".npy", Format::npy},
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
  if (content.starts_with("PK\x03\x04")) {
    refuse("a zip archive (npz, xlsx?); unpack it, or save one array with numpy.save");
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
  const std::string_view line = trimmed(content.substr(0, content.find_first_of("\r\n")));
  const auto n_tabs = std::count(line.begin(), line.end(), '\t');
  const auto n_commas = std::count(line.begin(), line.end(), ',');
  if (n_tabs > 0 || n_commas > 0) {
    return n_tabs > n_commas ? Format::tsv : Format::csv;
  }
  if (may_be_rows && is_row_of_characters(line, options)) {
    return Format::rows;
  }
  throw InputError(fmt::format(
      "{}: the format is not recognised; its first line is {}; separate the values by commas or "
      "tabs, or name the format with --format {}",
      file, in_quotes(line), may_be_rows ? "csv|tsv|rows|mtx|npy" : "csv|tsv|npy"));
}

Format format_of_content(const std::filesystem::path& path, std::string_view content,
                         const ImportOptions& options, bool may_be_rows) {
  if (content.starts_with(npy_magic)) {
    return Format::npy;
  }
  constexpr std::string_view mtx_magic = "%%matrixmarket";
  if (lower_case(std::string(content.substr(0, mtx_magic.size()))) == mtx_magic) {
    return Format::mtx;
  }
  const Format by_name = format_of_extension(path);
  return by_name != Format::automatic
             ? by_name
             : format_of_first_line(path.string(), content, options, may_be_rows);
}

}  // namespace

Format recognise(const std::filesystem::path& path, TextReader& text, const ImportOptions& options,
                 bool may_be_rows) {
  const std::string_view content = text.peek();
  if (content.empty()) {
    throw InputError(
        fmt::format("{}: the file is empty; was it written completely?", path.string()));
  }
  refuse_known_binaries(path.string(), content);
  const Format format = options.format != Format::automatic
                            ? options.format
                            : format_of_content(path, content, options, may_be_rows);
  if (format == Format::npy && text.is_compressed()) {
    throw InputError(
        fmt::format("{}: a compressed NPY file cannot be read in place; unpack it with `gunzip -k`",
                    path.string()));
  }
  return format;
}

}  // namespace orrery::data
