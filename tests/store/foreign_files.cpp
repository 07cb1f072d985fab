#include "store/foreign_files.hpp"

namespace orrery::store {

using hdf5::Handle;

namespace {

Handle file_at(const std::filesystem::path& path, bool has_checksums) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "access");
  if (has_checksums) H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose, "create"};
}

Handle extent_of(const std::vector<hsize_t>& shape) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
          "space"};
}

Handle variable_text() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "type");
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

}  // namespace

ForeignWriter::ForeignWriter(const std::filesystem::path& path, bool has_checksums)
    : file_(file_at(path, has_checksums)) {}

void ForeignWriter::group(const std::string& path) {
  const Handle made(H5Gcreate2(file_.id(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Gclose, "create " + path);
}

void ForeignWriter::numbers(const std::string& path, const std::vector<double>& values,
                            const std::vector<hsize_t>& shape, hid_t type,
                            const std::vector<hsize_t>& chunk) {
  const Handle space = extent_of(shape);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creation");
  H5Pset_obj_track_times(creation.id(), false);
  if (!chunk.empty()) {
    H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_deflate(creation.id(), 6);
  }
  const Handle made(H5Dcreate2(file_.id(), path.c_str(), type, space.id(), H5P_DEFAULT,
                               creation.id(), H5P_DEFAULT),
                    H5Dclose, "create " + path);
  if (values.empty()) return;
  hdf5::check(H5Dwrite(made.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "write " + path);
}

void ForeignWriter::texts(const std::string& path, const std::vector<std::string>& texts) {
  const Handle type = variable_text();
  const Handle space = extent_of({texts.size()});
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creation");
  H5Pset_obj_track_times(creation.id(), false);
  const Handle made(H5Dcreate2(file_.id(), path.c_str(), type.id(), space.id(), H5P_DEFAULT,
                               creation.id(), H5P_DEFAULT),
                    H5Dclose, "create " + path);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  hdf5::check(H5Dwrite(made.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       static_cast<const void*>(pointers.data())),
              "write " + path);
}

void ForeignWriter::text_attribute(const std::string& path, const std::string& name,
                                   const std::string& text) {
  const Handle object(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT), H5Oclose, "open " + path);
  const Handle type = variable_text();
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "space");
  const Handle made(
      H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, "create " + name);
  const char* const pointer = text.c_str();
  hdf5::check(H5Awrite(made.id(), type.id(), static_cast<const void*>(&pointer)), "write " + name);
}

void ForeignWriter::shape_attribute(const std::string& path,
                                    const std::vector<std::int64_t>& shape) {
  const Handle object(H5Oopen(file_.id(), path.c_str(), H5P_DEFAULT), H5Oclose, "open " + path);
  const Handle space = extent_of({shape.size()});
  const Handle made(
      H5Acreate2(object.id(), "shape", H5T_NATIVE_INT64, space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, "create shape");
  hdf5::check(H5Awrite(made.id(), H5T_NATIVE_INT64, shape.data()), "write shape");
}

void write_anndata(const std::filesystem::path& path, bool has_checksums) {
  ForeignWriter file(path, has_checksums);
  file.text_attribute("/", "encoding-type", "anndata");
  for (const char* group : {"/X", "/layers", "/layers/counts", "/obs", "/var", "/other"}) {
    file.group(group);
  }
  file.text_attribute("/X", "encoding-type", "csr_matrix");
  file.shape_attribute("/X", {3, 4});
  file.numbers("/X/data", {1, 1, 1}, {3}, H5T_NATIVE_FLOAT);
  file.numbers("/X/indices", {1, 3, 0}, {3}, H5T_NATIVE_INT32);
  file.numbers("/X/indptr", {0, 2, 3, 3}, {4}, H5T_NATIVE_INT32);
  file.text_attribute("/layers/counts", "encoding-type", "csc_matrix");
  file.shape_attribute("/layers/counts", {3, 4});
  file.numbers("/layers/counts/data", {5, 5, 5}, {3}, H5T_NATIVE_FLOAT, {2});
  file.numbers("/layers/counts/indices", {1, 0, 0}, {3}, H5T_NATIVE_INT64, {2});
  file.numbers("/layers/counts/indptr", {0, 1, 2, 2, 3}, {5}, H5T_NATIVE_INT64);
  file.numbers("/other/dense", {0, 5, 0, 5, 5, 0, 0, 0, 0, 0, 0, 0}, {3, 4}, H5T_NATIVE_INT16,
               {2, 3});
  file.text_attribute("/obs", "_index", "barcode");
  file.texts("/obs/barcode", {"c1", "c2", "c3"});
  file.text_attribute("/var", "_index", "_index");
  file.texts("/var/_index", {"BRCA1", "TP53", "é", "MYC"});
}

}  // namespace orrery::store
