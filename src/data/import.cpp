// Purpose: the reader for a file's format, and the formats' names.
#include "orrery/data/import.hpp"

#include <fmt/format.h>

#include <array>
#include <new>
#include <string_view>
#include <utility>

#include "base/memory_limit.hpp"
#include "data/cells.hpp"
#include "data/readers.hpp"
#include "data/recognise.hpp"
#include "data/text_reader.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 6> format_names{{
    {"auto", Format::automatic},
    {"csv", Format::csv},
    {"tsv", Format::tsv},
    {"rows", Format::rows},
    {"mtx", Format::mtx},
    {"npy", Format::npy},
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
    default:
      return import_delimited(text, format, options, sink);
  }
}

}  // namespace

ImportSummary import_samples(const std::filesystem::path& path, const ImportOptions& options,
                             SampleSink& sink) {
  try {
    TextReader text(path);
    const Format format = recognise(path, text, options, true);
    if (format != Format::csv && format != Format::tsv &&
        !(options.on_tokens.empty() && options.off_tokens.empty())) {
      throw UsageError(fmt::format(
          "--on, --off: {} was read as {}, and only cells of CSV and TSV have words for "
          "on and off; leave these out, or name the format with --format csv",
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
      fmt::format("--format {}: unknown; known are auto, csv, tsv, rows, mtx and npy for samples, "
                  "edges for a network",
                  in_quotes(name)));
}

std::string format_name(Format format) {
  for (const auto& [name, known] : format_names) {
    if (known == format) {
      return std::string(name);
    }
  }
  return "unknown";
}

}  // namespace orrery::data
