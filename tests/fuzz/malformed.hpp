// Malformed inputs of every format that orrery reads: each file has one defect, after which it is
// named, and must be refused. The same files every time. make_malformed.cpp writes them all.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace orrery::fuzz {

/// The folder of one format. No two of its files have the same content.
class MalformedFiles {
 public:
  explicit MalformedFiles(const std::filesystem::path& folder);
  /// Writes a file. Throws std::logic_error if its name or content is not new.
  void add(const std::string& name, std::string_view content);
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }

 private:
  std::filesystem::path folder_;
  std::set<std::string> names_;
  std::set<std::string> contents_;
};

/// The gzip stream of `content`.
std::string compressed(const std::string& content);
/// All bytes of a file.
std::string content_of(const std::filesystem::path& path);

void add_malformed_csv(MalformedFiles& files);
void add_malformed_rows(MalformedFiles& files);
void add_malformed_mtx(MalformedFiles& files);
void add_malformed_npy(MalformedFiles& files);
void add_malformed_npz(MalformedFiles& files);
/// HDF5 as other programs write it.
void add_malformed_foreign(MalformedFiles& files);
/// Tables of numbers, as CSV, TSV and NPY.
void add_malformed_numbers(MalformedFiles& files);
void add_malformed_categories(MalformedFiles& files);
void add_malformed_svmlight(MalformedFiles& files);
void add_malformed_arff(MalformedFiles& files);
/// Columns row, column, value and time, of which times are from 2000 on.
void add_malformed_long(MalformedFiles& files);
void add_malformed_text(MalformedFiles& files);
void add_malformed_json(MalformedFiles& files);
/// Below `good`, a folder that is there, lie the good files that these are edits of.
void add_malformed_samples(MalformedFiles& files, const std::filesystem::path& good);
void add_malformed_dense(MalformedFiles& files, const std::filesystem::path& good);
void add_malformed_moments(MalformedFiles& files, const std::filesystem::path& good);
void add_malformed_model(MalformedFiles& files, const std::filesystem::path& good);
void add_malformed_checkpoint(MalformedFiles& files, const std::filesystem::path& good);

void add_malformed_tree(MalformedFiles& files, const std::filesystem::path& good);
/// `coupled`: another good file, with a coupling.
void add_malformed_linear(MalformedFiles& files, const std::filesystem::path& good,
                          const std::filesystem::path& coupled);
void add_malformed_anchored(MalformedFiles& files, const std::filesystem::path& good);
void add_malformed_categorical(MalformedFiles& files, const std::filesystem::path& good);

}  // namespace orrery::fuzz
