// The readers of formats in text that are no table of cells with one line per row: SVMlight, ARFF,
// long tables and documents. Each gives its rows in order (table_source.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/cells.hpp"
#include "data/import_tables.hpp"
#include "data/table_source.hpp"
#include "data/text_table.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

/// What the values of a table become.
enum class Values : std::uint8_t { bits, numbers };

// The four that follow: `text` and `options` must outlive the source.

/// The rows of SVMlight (LIBSVM too): lines of a label and of index:value. Columns are called x0,
/// x1 and so on; the first of them has index 0 or 1 in the file. The file is read twice: the first
/// time for the largest index.
[[nodiscard]] std::unique_ptr<RowSource> open_svmlight(TextReader& text,
                                                       const ImportOptions& options);

/// The rows of ARFF (Attribute-Relation File Format of Weka), dense and sparse. As bits: 0, 1 and
/// NaN, by the words of CSV, --on, --off and --threshold. As numbers: what is written.
[[nodiscard]] std::unique_ptr<RowSource> open_arff(TextReader& text, const ImportOptions& options,
                                                   Values values);
/// The same as categories: those of a nominal attribute in the order in which it declares them,
/// unless others are given.
[[nodiscard]] CategoricalImport import_arff_categories(TextReader& text,
                                                       const ImportOptions& options,
                                                       const GivenCategories& given);

/// The rows of a long table: CSV of which every line says that a row has a variable. Rows come in
/// the order of their first line, variables in that of their names (as numbers, if all are). As
/// bits: 1 if one of the lines of a row and a variable says so. As numbers: the sum of their
/// values, or how many lines there are. Missing: lines there are, but none has a value.
/// The file is read at least twice. Memory: the names of rows and variables, and 4 or 16 bytes per
/// line, at most options.memory_bytes; of more lines the file is read again for the next rows.
[[nodiscard]] std::unique_ptr<RowSource> open_long_table(TextReader& text,
                                                         const ImportOptions& options,
                                                         Values values);

/// The rows of documents, one per line; the variables are the words that are in most of them, ties
/// in the order of bytes. As bits: the word is in the document. As numbers: how often.
/// The file is read at least twice. Memory: while they are counted, all different words, at most
/// options.memory_bytes; of more words the file is read again for the others.
[[nodiscard]] std::unique_ptr<RowSource> open_documents(TextReader& text,
                                                        const ImportOptions& options,
                                                        Values values);

/// True of the four formats above.
[[nodiscard]] bool is_text_source(Format format);
ImportSummary import_text_source(TextReader& text, Format format, const ImportOptions& options,
                                 SampleSink& sink);
DenseImportSummary import_text_source(TextReader& text, Format format, const ImportOptions& options,
                                      DenseSink& sink);

/// Throws UsageError for an option that `format` cannot obey, if it is one of the four above, and
/// for one of theirs that was given for another.
void refuse_options_of_others(Format format, const ImportOptions& options);

/// Adds the variables of a model that are not among the names: in a format that leaves out what is
/// 0, they are 0 in every row.
void add_absent_names(std::vector<std::string>& names, const std::vector<std::string>& like);

/// True if the first line that is no comment is one of a label and values.
[[nodiscard]] bool begins_as_svmlight(std::string_view content);
/// True if the first word that is no comment is @relation or @attribute.
[[nodiscard]] bool begins_as_arff(std::string_view content);

/// What a cell of text means as a bit: as in CSV, and 1 and 0 as they are written elsewhere (1e0).
class CellBits {
 public:
  explicit CellBits(const ImportOptions& options, bool has_decimal_comma = false);
  [[nodiscard]] Cell operator()(std::string_view token) const;

 private:
  CellReader cells_;
  NumberReader numbers_;
};

}  // namespace orrery::data
