// Purpose: genotypes of PLINK 1 (.bed, .bim, .fam) into rows of bits (carriers of the allele A1) or
// of numbers (how many copies of A1: 0, 1 or 2).
// Source: PLINK (Purcell et al. 2007) and its description of the format: the .bed file holds one
// variant after another (a column of the table), two bits per person, from the lowest bits on:
//   00 two copies of A1 | 10 one copy | 11 none | 01 missing
// Cost: for each block of rows one positioned read per variant; every byte is read once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/positioned_file.hpp"
#include "data/readers.hpp"
#include "data/table_source.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t magic_bytes = 3;
constexpr std::uint64_t genotypes_per_byte = 4;

/// The words of a line, which blanks separate.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    words.push_back(word);
  }
  return words;
}

/// Calls use(words) for each line, which must have six words.
template <class Use>
void for_each_line(const std::filesystem::path& path, const std::string& what, const Use& use) {
  TextReader text(path);
  while (text.next_line()) {
    const auto words = words_of(text.line());
    if (words.size() != 6) {
      throw InputError(fmt::format(
          "{}: line {} has {} fields, {} of PLINK has six ({}); write the files again "
          "with plink --make-bed",
          text.file(), text.line_number(), words.size(), path.extension().string(), what));
    }
    use(words, text);
  }
}

std::vector<std::string> read_variants(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::uint64_t> line_of;
  for_each_line(path, "chromosome, variant, cM, position, A1, A2",
                [&](const auto& words, const TextReader& text) {
                  names.emplace_back(words[1]);
                  const auto [entry, is_new] = line_of.emplace(names.back(), text.line_number());
                  if (is_new) return;
                  throw InputError(fmt::format(
                      "{}: lines {} and {} have the same variant {}; give each a name of its own, "
                      "e.g. with plink --set-missing-var-ids '@:#'",
                      text.file(), entry->second, text.line_number(), in_quotes(words[1])));
                });
  return names;
}

/// IID of each person; where one IID is that of two, "FID IID".
std::vector<std::string> read_persons(const std::filesystem::path& path) {
  std::vector<std::string> persons;
  std::vector<std::string> families;
  for_each_line(path, "FID, IID, father, mother, sex, phenotype",
                [&](const auto& words, const TextReader&) {
                  families.emplace_back(words[0]);
                  persons.emplace_back(words[1]);
                });
  std::unordered_set<std::string_view> different(persons.begin(), persons.end());
  if (different.size() == persons.size()) return persons;
  for (std::size_t i = 0; i < persons.size(); ++i) persons[i] = families[i] + " " + persons[i];
  return persons;
}

std::filesystem::path with_extension(std::filesystem::path path, const char* extension) {
  path.replace_extension(extension);
  if (!std::filesystem::exists(path)) {
    throw InputError(fmt::format(
        "{}: does not exist; PLINK 1 data are three files of one name, .bed, .bim and .fam, in one "
        "folder",
        path.string()));
  }
  return path;
}

/// The three files, checked against each other.
class Genotypes {
 public:
  explicit Genotypes(const std::filesystem::path& path);

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] const std::vector<std::string>& variants() const noexcept { return variants_; }
  [[nodiscard]] const std::vector<std::string>& persons() const noexcept { return persons_; }
  [[nodiscard]] std::uint64_t n_rows() const noexcept { return persons_.size(); }
  /// Of `n` persons from `first` (a multiple of 4) on, as they lie.
  void read(std::size_t variant, std::uint64_t first, std::uint64_t n, unsigned char* bytes) const {
    bed_.read(magic_bytes + variant * bytes_per_variant() + first / genotypes_per_byte, n_bytes(n),
              bytes);
  }
  [[nodiscard]] static std::uint64_t n_bytes(std::uint64_t n_genotypes) noexcept {
    return (n_genotypes + genotypes_per_byte - 1) / genotypes_per_byte;
  }
  [[nodiscard]] std::uint64_t megabytes(std::uint64_t n_rows) const noexcept {
    return n_bytes(n_rows) * variants_.size() / megabyte;
  }

 private:
  [[nodiscard]] std::uint64_t bytes_per_variant() const noexcept { return n_bytes(n_rows()); }
  void require_magic() const;
  void require_size() const;

  std::string file_;
  PositionedFile bed_;
  std::vector<std::string> variants_;
  std::vector<std::string> persons_;
};

Genotypes::Genotypes(const std::filesystem::path& path)
    : file_(path.string()), bed_(path, "a .bed file") {
  require_magic();
  variants_ = read_variants(with_extension(path, ".bim"));
  persons_ = read_persons(with_extension(path, ".fam"));
  require_column_count(file_, variants_.size(), true);
  require_size();
}

void Genotypes::require_magic() const {
  std::array<unsigned char, magic_bytes> bytes{};
  if (bed_.size() >= bytes.size()) bed_.read(0, bytes.size(), bytes.data());
  if (bytes[0] != 0x6C || bytes[1] != 0x1B || bytes[2] > 1) {
    throw InputError(fmt::format(
        "{}: not a .bed file of PLINK 1 (it does not begin with the bytes 6C 1B 01); write it with "
        "plink --make-bed",
        file_));
  }
  if (bytes[2] == 0) {
    throw InputError(
        fmt::format("{}: holds one person after another, read are files of one variant after "
                    "another; write it again with plink --make-bed",
                    file_));
  }
}

void Genotypes::require_size() const {
  const std::uint64_t wanted = magic_bytes + variants_.size() * bytes_per_variant();
  if (bed_.size() == wanted) return;
  throw InputError(fmt::format(
      "{}: has {} bytes, but {} variants (.bim) of {} persons (.fam) are {} bytes: {}; write the "
      "three files again together",
      file_, bed_.size(), variants_.size(), n_rows(), wanted,
      bed_.size() < wanted ? "it is truncated" : "it belongs to other files"));
}

// --------------------------------------------------------------------------- copies of A1, by rows

class DosageRows final : public RowSource {
 public:
  explicit DosageRows(const std::filesystem::path& path)
      : genotypes_(path),
        rows_per_read_(
            std::clamp<std::uint64_t>(most_read / genotypes_.variants().size(), 1, 16384) *
            genotypes_per_byte),
        progress_("import", genotypes_.megabytes(genotypes_.n_rows()) + 1, "MB") {}

  [[nodiscard]] const std::string& file() const override { return genotypes_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override {
    return genotypes_.variants();
  }
  [[nodiscard]] bool has_row_names() const override { return true; }
  [[nodiscard]] std::string_view row_name() const override {
    return genotypes_.persons()[row_ - 1];
  }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: row {}", file(), row_);
  }

 private:
  static constexpr std::uint64_t most_read = std::uint64_t{8} << 20U;  // bytes; 16 times as packed
  static_assert(most_columns <= std::uint64_t{1} << 30U, "a variant fits beside two bits");
  void read_rows();
  void add_byte(unsigned char byte, std::size_t variant, std::size_t row);

  Genotypes genotypes_;
  std::uint64_t rows_per_read_;
  Progress progress_;
  std::uint64_t row_ = 0;     // rows given so far
  std::uint64_t first_ = 0;   // the first row that was read last
  std::uint64_t n_read_ = 0;  // rows that were read last
  /// Of the rows that were read last, what is not 0: the variant in the bits above the two of the
  /// genotype.
  std::vector<std::vector<std::uint32_t>> rows_;
};

bool DosageRows::next_row(std::vector<RowValue>& values) {
  constexpr std::array<double, 4> dosage{2, no_value, 1, 0};
  values.clear();
  if (row_ == genotypes_.n_rows()) return false;
  if (row_ == first_ + n_read_) read_rows();
  for (const std::uint32_t packed : rows_[static_cast<std::size_t>(row_ - first_)]) {
    values.push_back({packed >> 2U, dosage[packed & 3U]});
  }
  ++row_;
  return true;
}

void DosageRows::read_rows() {
  first_ = row_;
  n_read_ = std::min(rows_per_read_, genotypes_.n_rows() - row_);
  rows_.resize(static_cast<std::size_t>(n_read_));
  for (auto& row : rows_) row.clear();
  std::vector<unsigned char> bytes(static_cast<std::size_t>(Genotypes::n_bytes(n_read_)));
  for (std::size_t c = 0; c < names().size(); ++c) {
    genotypes_.read(c, first_, n_read_, bytes.data());
    for (std::size_t i = 0; i < bytes.size(); ++i) add_byte(bytes[i], c, i * genotypes_per_byte);
  }
  progress_.set(genotypes_.megabytes(first_));
}

void DosageRows::add_byte(unsigned char byte, std::size_t variant, std::size_t row) {
  constexpr unsigned nobody = 0xFF;  // four times no copy
  for (unsigned rest = byte; row < rows_.size() && rest != nobody; ++row) {
    if ((rest & 3U) != 3) {
      rows_[row].push_back(static_cast<std::uint32_t>(variant << 2U) | (rest & 3U));
    }
    rest = rest >> 2U | 0xC0U;
  }
}

}  // namespace

std::filesystem::path plink_file(const std::filesystem::path& path) {
  std::filesystem::path bed = path;
  bed += ".bed";
  std::error_code ignored;
  return !std::filesystem::exists(path, ignored) && std::filesystem::exists(bed, ignored) ? bed
                                                                                          : path;
}

ImportSummary import_plink(const std::filesystem::path& path, const ImportOptions& options,
                           SampleSink& sink) {
  ImportOptions carriers = options;
  if (!options.threshold && options.on_tokens.empty() && options.off_tokens.empty()) {
    carriers.threshold = 0.5;  // one copy or two
  }
  DosageRows table(path);
  return import_bits(table, Format::plink, carriers, sink);
}

DenseImportSummary import_dense_plink(const std::filesystem::path& path,
                                      const ImportOptions& options, DenseSink& sink) {
  DosageRows table(path);
  return import_numbers(table, Format::plink, options, sink);
}

}  // namespace orrery::data
