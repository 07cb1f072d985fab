// make_malformed FOLDER: writes the malformed inputs, a folder a kind of file, and below good/ the
// sound HDF5 files that some of them are edits of. Prints how many there are of each kind.
#include <fmt/format.h>
#include <zlib.h>

#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "good_files.hpp"
#include "malformed.hpp"

namespace orrery::fuzz {

MalformedFiles::MalformedFiles(const std::filesystem::path& folder) : folder_(folder) {
  std::filesystem::create_directories(folder);
}

void MalformedFiles::add(const std::string& name, std::string_view content) {
  if (!names_.insert(name).second || !contents_.emplace(content).second) {
    throw std::logic_error(fmt::format("{} was made before, by name or content", name));
  }
  std::ofstream file(folder_ / name, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw std::runtime_error(fmt::format("{} cannot be written", name));
}

std::string compressed(const std::string& content) {
  constexpr int gzip_window = 15 + 16;
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::runtime_error("zlib did not compress");
  return out;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

namespace {

void make(const std::filesystem::path& folder, const std::string& kind,
          const std::function<void(MalformedFiles&)>& add_all) {
  MalformedFiles files(folder / kind);
  add_all(files);
  fmt::print("{} {}\n", kind, files.size());
}

void make_all(const std::filesystem::path& folder) {
  const std::filesystem::path good = folder / "good";
  std::filesystem::create_directories(good);
  write_good_samples(good / "samples.h5");
  write_good_dense(good / "dense.h5");
  write_good_moments(good / "moments.h5");
  write_good_model(good / "model.h5");
  write_good_checkpoint(good / "checkpoint.h5");
  write_good_tree(good / "tree.h5");
  write_good_linear(good / "linear.h5");
  write_good_anchored(good / "anchored.h5");
  write_good_categorical(good / "categorical.h5");
  write_good_coupled(good / "coupled.h5");
  make(folder, "csv", add_malformed_csv);
  make(folder, "rows", add_malformed_rows);
  make(folder, "mtx", add_malformed_mtx);
  make(folder, "npy", add_malformed_npy);
  make(folder, "npz", add_malformed_npz);
  make(folder, "foreign", add_malformed_foreign);
  make(folder, "numbers", add_malformed_numbers);
  make(folder, "categories", add_malformed_categories);
  make(folder, "svmlight", add_malformed_svmlight);
  make(folder, "arff", add_malformed_arff);
  make(folder, "long", add_malformed_long);
  make(folder, "text", add_malformed_text);
  make(folder, "json", add_malformed_json);
  make(folder, "samples", [&](auto& files) { add_malformed_samples(files, good / "samples.h5"); });
  make(folder, "dense", [&](auto& files) { add_malformed_dense(files, good / "dense.h5"); });
  make(folder, "moments", [&](auto& files) { add_malformed_moments(files, good / "moments.h5"); });
  make(folder, "model", [&](auto& files) { add_malformed_model(files, good / "model.h5"); });
  make(folder, "checkpoint",
       [&](auto& files) { add_malformed_checkpoint(files, good / "checkpoint.h5"); });
  make(folder, "tree", [&](auto& files) { add_malformed_tree(files, good / "tree.h5"); });
  make(folder, "linear",
       [&](auto& files) { add_malformed_linear(files, good / "linear.h5", good / "coupled.h5"); });
  make(folder, "anchored",
       [&](auto& files) { add_malformed_anchored(files, good / "anchored.h5"); });
  make(folder, "categorical",
       [&](auto& files) { add_malformed_categorical(files, good / "categorical.h5"); });
}

}  // namespace
}  // namespace orrery::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: make_malformed FOLDER\n");
    return 2;
  }
  try {
    orrery::fuzz::make_all(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "make_malformed: {}\n", error.what());
    return 1;
  }
}
