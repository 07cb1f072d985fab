// Makes HDF5 files that orrery must refuse, for the tests of the command line.
//   odd_hdf5 foreign FILE   another program's file, as h5py writes it
//   odd_hdf5 strange FILE   a file of today's HDF5 layout that is not orrery's
//   odd_hdf5 newer FILE     raises the schema of an orrery file by one
#include <hdf5.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

bool write_numbers(hid_t access, const char* path) {
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t size = 3;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t numbers =
      H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int values[3] = {1, 2, 3};
  const bool written =
      H5Dwrite(numbers, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  H5Dclose(numbers);
  H5Sclose(space);
  return H5Fclose(file) >= 0 && written;
}

bool raise_schema(const char* path) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "schema", H5P_DEFAULT);
  std::uint32_t schema = 0;
  const bool read = H5Aread(attribute, H5T_NATIVE_UINT32, &schema) >= 0;
  ++schema;
  const bool written = H5Awrite(attribute, H5T_NATIVE_UINT32, &schema) >= 0;
  H5Aclose(attribute);
  return H5Fclose(file) >= 0 && read && written;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 3 ? argv[1] : "";
  bool made = false;
  if (kind == "foreign") {
    made = write_numbers(H5P_DEFAULT, argv[2]);
  } else if (kind == "strange") {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
    made = write_numbers(access, argv[2]);
    H5Pclose(access);
  } else if (kind == "newer") {
    made = raise_schema(argv[2]);
  }
  if (!made) std::fprintf(stderr, "usage: odd_hdf5 foreign|strange|newer FILE\n");
  return made ? 0 : 1;
}
