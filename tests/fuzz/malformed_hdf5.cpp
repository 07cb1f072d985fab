// HDF5 files: damaged bytes, which checksums and digests give away; and files that are sound to
// HDF5, and carry the right digests, but break the schema.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "malformed.hpp"
#include "store/edited_hdf5.hpp"

namespace orrery::fuzz {
namespace {

using store::Cells;
using store::cells_of;
using store::CellType;
using store::EditedHdf5;
using store::Place;
using store::Storage;

/// A good file and a copy to be edited.
class Source {
 public:
  Source(MalformedFiles& files, std::filesystem::path good)
      : files_(files), good_(std::move(good)), copy_(good_.string() + ".edited") {}

  [[nodiscard]] std::string content() const { return content_of(good_); }
  [[nodiscard]] std::vector<Place> places() const { return EditedHdf5(good_).places(); }
  [[nodiscard]] std::uint64_t offset(const std::string& object) const {
    return EditedHdf5(good_).offset(object);
  }

  void add(const std::string& name, std::string_view content) { files_.add(name + ".h5", content); }
  /// `edit` gets the copy and says whether HDF5 obeyed.
  template <class Edit>
  void add_edited(const std::string& name, Edit&& edit, bool repair = true) {
    std::filesystem::copy_file(good_, copy_, std::filesystem::copy_options::overwrite_existing);
    {
      EditedHdf5 file(copy_);
      if (!edit(file)) throw std::logic_error("HDF5 refuses to make " + name);
      if (repair) file.repair_digests();
    }
    add(name, content_of(copy_));
    std::filesystem::remove(copy_);
  }
  void add_put(const std::string& name, const Place& place, const Cells& cells) {
    add_edited(name, [&](EditedHdf5& file) { return file.put(place, cells); });
  }

 private:
  MalformedFiles& files_;
  std::filesystem::path good_;
  std::filesystem::path copy_;
};

/// "/samples/bits" and "digest" -> "samples_bits_digest"
std::string label(const Place& place) {
  std::string text = place.object.substr(1);
  if (!place.attribute.empty()) text += (text.empty() ? "" : "_") + place.attribute;
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

void add_cut_files(Source& source) {
  const std::string good = source.content();
  for (const std::size_t length : {0UL, 1UL, 7UL, 8UL, 9UL, 12UL, 47UL, 48UL, 96UL, 1000UL,
                                   good.size() / 2, good.size() - 100, good.size() - 1}) {
    source.add(fmt::format("cut_at_{}", length), good.substr(0, length));
  }
}

void add_damaged_bytes(Source& source) {
  const std::string good = source.content();
  const auto add = [&](const std::string& name, std::size_t at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    source.add("damaged_" + name, bytes);
  };
  for (std::size_t at = 0; at < 48; at += 5) add(fmt::format("superblock_{}", at), at);
  std::size_t n_headers = 0;
  for (std::size_t at = good.find("OHDR"); at != std::string::npos;
       at = good.find("OHDR", at + 1)) {
    add(fmt::format("header_{}", n_headers), at + 5 + n_headers % 20);
    ++n_headers;
  }
  for (const Place& place : source.places()) {
    if (place.is_group || !place.attribute.empty()) continue;
    const std::uint64_t at = source.offset(place.object);
    if (at > 0) add(label(place), at + 1);
  }
}

/// Every object and attribute left out, and replaced by one of another kind.
void add_wrong_objects(Source& source, std::string_view optional) {
  for (const Place& place : source.places()) {
    // /run need not be there, and triples are read by their slabs, which have digests of their own.
    if (place.object == "/run" && place.attribute.empty()) continue;
    if (place.object == "/moments/triples" && place.attribute == "digest") continue;
    const std::string name = label(place);
    const bool may_lack = place.object == "/run" && place.attribute == "commit";  // of 0.1.0
    if (!may_lack && optional.find(name + ' ') == std::string_view::npos) {
      source.add_edited(
          "no_" + name, [&](EditedHdf5& file) { return file.remove(place); }, false);
    }
    if (place.attribute == "digest") {
      source.add_edited(
          "other_" + name,
          [&](EditedHdf5& file) { return file.overwrite(place, "0123456789abcdef"); }, false);
      continue;
    }
    if (place.is_group) {
      source.add_put(name + "_is_a_dataset", place, cells_of(CellType::u64, std::vector{1UL}, {1}));
    } else {
      source.add_put(name + "_of_another_type", place, {CellType::f32, 1, {3}, {}});
    }
  }
}

/// Ways to keep `object` that orrery never chooses, and that readers need not cope with.
void add_odd_storage(Source& source, const std::string& object, const Cells& good) {
  const std::string name = label({object, ""});
  Cells deflated = good;
  deflated.storage = Storage::deflated;
  source.add_put(name + "_deflated", {object, ""}, deflated);
  Cells elsewhere = good;
  elsewhere.storage = Storage::elsewhere;
  source.add_put(name + "_elsewhere", {object, ""}, elsewhere);
  source.add_edited(name + "_is_a_soft_link", [&](EditedHdf5& file) {
    return file.put({"/kept", ""}, good) && file.link_soft(object, "/kept");
  });
  source.add_edited(name + "_is_a_group", [&](EditedHdf5& file) { return file.put_group(object); });
}

Cells one(double value) { return cells_of(CellType::f64, std::vector{value}, {}); }
Cells one(std::uint64_t value) { return cells_of(CellType::u64, std::vector{value}, {}); }
Cells one(std::uint32_t value) { return cells_of(CellType::u32, std::vector{value}, {}); }
Cells one(const std::string& text) {
  Cells cells = cells_of(std::vector{text});
  cells.shape.clear();
  return cells;
}
Cells reals(std::vector<double> values) {
  const std::uint64_t n = values.size();
  return cells_of(CellType::f64, values, {n});
}

void add_wrong_roots(Source& source) {
  source.add_put("format_other", {"/", "format"}, one("netcdf"));
  source.add_put("format_empty", {"/", "format"}, one(""));
  source.add_put("format_of_two_lines", {"/", "format"}, one("orrery\norrery"));
  source.add_put("format_of_any_length", {"/", "format"}, {CellType::variable_text, 1, {}, {}});
  for (const std::uint32_t schema : {0U, 2U, 3U, 4294967295U}) {
    source.add_put(fmt::format("schema_{}", schema), {"/", "schema"}, one(schema));
  }
  source.add_put("schema_of_64_bits", {"/", "schema"}, one(std::uint64_t{1}));
}

}  // namespace

void add_malformed_samples(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_cut_files(source);
  add_damaged_bytes(source);
  add_wrong_objects(source,
                    "samples samples_missing model model_provenance model_provenance_support "
                    "model_provenance_statistic_error model_stability model_fit ");
  add_wrong_roots(source);
  const Place bits{"/samples/bits", ""};
  add_odd_storage(source, bits.object, {CellType::u64, 1, {5, 2}, {}});
  const std::vector<std::vector<std::uint64_t>> shapes{{2, 5}, {5, 1}, {5, 3},
                                                       {4, 2}, {10},   {5, 2, 1}};
  for (const auto& shape : shapes) {
    source.add_put(fmt::format("bits_{}", fmt::join(shape, "x")), bits,
                   {CellType::u64, 1, shape, {}});
  }
  source.add_put("bits_big_endian", bits, {CellType::big_u64, 1, {5, 2}, {}});
  source.add_put("bits_beyond_the_last_row", bits,
                 {CellType::u64, 1, {5, 2}, std::string(80, '\xFF')});
  source.add_put("missing_beyond_the_last_row", {"/samples/missing", ""},
                 {CellType::u64, 1, {5, 2}, std::string(8, '\0') + std::string(8, '\xFF')});
  source.add_put("missing_where_there_are_values", {"/samples/missing", ""},
                 {CellType::u64, 1, {5, 2}, std::string(8, '\xFF')});
  source.add_put("missing_5x1", {"/samples/missing", ""}, {CellType::u64, 1, {5, 1}, {}});
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{129},
                                std::numeric_limits<std::uint64_t>::max()}) {
    source.add_put(fmt::format("n_samples_{}", n), {"/samples", "n_samples"}, one(n));
    source.add_put(fmt::format("n_observed_{}", n), {"/samples", "n_observed"}, one(n));
  }
  source.add_put("names_too_few", {"/samples/names", ""}, cells_of({"a", "b", "c", "d"}));
  source.add_put("names_of_any_length", {"/samples/names", ""},
                 {CellType::variable_text, 1, {5}, {}});
  source.add_edited(
      "digest_in_capitals",
      [](EditedHdf5& file) {
        return file.overwrite({"/samples/bits", "digest"}, "0123456789ABCDEF");
      },
      false);
}

void add_malformed_dense(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_cut_files(source);
  add_damaged_bytes(source);
  add_wrong_objects(source, "dense ");
  const Place values{"/dense/values", ""};
  add_odd_storage(source, values.object, {CellType::f64, 1, {100, 5}, {}});
  const std::vector<std::vector<std::uint64_t>> shapes{
      {5, 100}, {100, 4}, {99, 5}, {500}, {10, 10, 5}};
  for (const auto& shape : shapes) {
    source.add_put(fmt::format("values_{}", fmt::join(shape, "x")), values,
                   {CellType::f64, 1, shape, {}});
  }
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {nan, infinity, -infinity, 1e300}) {
    source.add_edited(fmt::format("value_{}", odd), [&](EditedHdf5& file) {
      std::string bytes = file.bytes(values);
      std::memcpy(bytes.data() + 8 * 6, &odd, sizeof odd);  // of column 1, which misses nothing
      return file.overwrite(values, bytes);
    });
    source.add_put(fmt::format("min_{}", odd), {"/dense/min", ""}, reals({0, odd, -2, -3, -4}));
    source.add_put(fmt::format("mean_{}", odd), {"/dense/mean", ""}, reals({0, odd, 0, 0, 0}));
    source.add_put(fmt::format("sd_{}", odd == 1e300 ? -1 : odd), {"/dense/sd", ""},
                   reals({1, 1, 1, 1, odd == 1e300 ? -1 : odd}));
  }
  source.add_put("max_below_values", {"/dense/max", ""}, reals({12, 23, 35, 46, 57}));
  const auto present = [](std::vector<std::uint64_t> counts) {
    const std::uint64_t n = counts.size();
    return cells_of(CellType::u64, counts, {n});
  };
  source.add_put("present_beyond_n", {"/dense/present", ""}, present({99, 101, 100, 100, 94}));
  source.add_put("present_none", {"/dense/present", ""}, present({0, 100, 100, 100, 94}));
  source.add_put("present_all", {"/dense/present", ""}, present({100, 100, 100, 100, 100}));
  source.add_put("present_too_few", {"/dense/present", ""}, present({99, 100, 100, 100}));
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{99}, std::uint64_t{20000},
                                std::numeric_limits<std::uint64_t>::max()}) {
    source.add_put(fmt::format("n_samples_{}", n), {"/dense", "n_samples"}, one(n));
    source.add_put(fmt::format("n_columns_{}", n), {"/dense", "n_columns"}, one(n));
  }
  source.add_put("names_too_few", {"/dense/names", ""}, cells_of({"a", "b", "c", "d"}));
}

void add_malformed_moments(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_wrong_objects(source, "moments ");
  const Place pairs{"/moments/pairs", ""};
  add_odd_storage(source, pairs.object, {CellType::u64, 1, {5, 5}, {}});
  const auto with_pairs = [&](const std::string& name, std::vector<std::uint64_t> counts,
                              std::vector<std::uint64_t> shape) {
    source.add_put(name, pairs, cells_of(CellType::u64, counts, std::move(shape)));
  };
  with_pairs("pairs_4x4", std::vector<std::uint64_t>(16, 7), {4, 4});
  with_pairs("pairs_5x4", std::vector<std::uint64_t>(20, 7), {5, 4});
  with_pairs("pairs_in_a_row", std::vector<std::uint64_t>(25, 7), {25});
  with_pairs("pairs_beyond_n", std::vector<std::uint64_t>(25, 101), {5, 5});
  std::vector<std::uint64_t> counts(25, 7);
  counts[1] = 6;
  with_pairs("pairs_not_symmetric", counts, {5, 5});
  counts[1] = counts[5] = 8;
  with_pairs("pairs_beyond_singles", counts, {5, 5});
  for (const std::uint32_t order : {0U, 1U, 4U, 4294967295U}) {
    source.add_put(fmt::format("order_{}", order), {"/moments", "order"}, one(order));
  }
  source.add_put("n_samples_too_few", {"/moments", "n_samples"}, one(std::uint64_t{9}));
  source.add_put("triples_too_few", {"/moments/triples", ""}, {CellType::u32, 1, {9}, {}});
  source.add_put("triple_digests_too_few", {"/moments/triple_digests", ""},
                 {CellType::u64, 1, {2}, {}});
  source.add_put("names_too_many", {"/moments/names", ""},
                 cells_of({"a", "b", "c", "d", "e", "f"}));
}

void add_malformed_checkpoint(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_cut_files(source);
  add_damaged_bytes(source);
  add_wrong_objects(source, "checkpoint ");
  for (const std::uint32_t version : {0U, 2U, 4294967295U}) {
    source.add_put(fmt::format("version_{}", version), {"/checkpoint", "version"}, one(version));
  }
  const Place words{"/checkpoint/words/done", ""};
  add_odd_storage(source, words.object, {CellType::u64, 1, {3}, {}});
  source.add_put("words_in_a_square", words, {CellType::u64, 1, {3, 3}, {}});
  source.add_put("words_without_extent", words, {CellType::u64, 1, {}, {}});
  source.add_put("option_values_too_few", {"/checkpoint/option_values", ""}, cells_of({"rank"}));
  // Sound by their own digests; that of the whole shows that they are others.
  const auto add_unrepaired = [&](const std::string& name, const Place& place, const Cells& cells) {
    source.add_edited(
        name,
        [&](EditedHdf5& file) {
          const std::string whole = file.bytes({"/checkpoint", "digest"});
          if (!file.put(place, cells)) return false;
          file.repair_digests();
          return file.overwrite({"/checkpoint", "digest"}, whole);
        },
        false);
  };
  add_unrepaired("words_of_another_run", words,
                 cells_of(CellType::u64, std::vector{1UL, 2UL, 4UL}, {3}));
  add_unrepaired("an_array_more", {"/checkpoint/words/more", ""}, {CellType::u64, 1, {1}, {}});
  add_unrepaired("other_samples", {"/checkpoint", "n_samples"}, one(std::uint64_t{101}));
  add_unrepaired("other_learner", {"/checkpoint", "learner"}, one("params"));
}

void add_malformed_model(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_wrong_objects(source,
                    "model model_provenance model_provenance_support "
                    "model_provenance_statistic_error model_stability model_fit ");
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {-0.25, 1.5, 1 + 1e-15, nan, infinity, -infinity}) {
    source.add_put(fmt::format("prior_{}", odd), {"/model/causes/prior", ""},
                   reals({0.5, odd, 0.5}));
    source.add_put(fmt::format("leak_{}", odd), {"/model/observed/leak", ""},
                   reals({0, 0, odd, 0, 0}));
    source.add_put(fmt::format("failure_{}", odd), {"/model/edges/failure", ""},
                   reals({0, 0, 0, odd}));
  }
  const auto indices = [](std::vector<std::uint32_t> values) {
    const std::uint64_t n = values.size();
    return cells_of(CellType::u32, values, {n});
  };
  source.add_put("edge_of_cause_3", {"/model/edges/cause", ""}, indices({0, 0, 1, 3}));
  source.add_put("edge_of_cause_largest", {"/model/edges/cause", ""},
                 indices({0, 0, 1, 0xFFFFFFFF}));
  source.add_put("edge_to_variable_5", {"/model/edges/observed", ""}, indices({0, 1, 1, 5}));
  source.add_put("edge_twice", {"/model/edges/observed", ""}, indices({1, 1, 1, 4}));
  source.add_put("edges_too_few", {"/model/edges/observed", ""}, indices({0, 1, 1}));
  source.add_put("priors_too_many", {"/model/causes/prior", ""}, reals({0.5, 0.5, 0.5, 0.5}));
  source.add_put("leaks_too_few", {"/model/observed/leak", ""}, reals({0, 0, 0, 0}));
  source.add_put("priors_in_a_square", {"/model/causes/prior", ""}, {CellType::f64, 1, {3, 1}, {}});
  source.add_put("priors_without_extent", {"/model/causes/prior", ""}, {CellType::f64, 1, {}, {}});
  source.add_put("priors_complex", {"/model/causes/prior", ""}, {CellType::complex, 1, {3}, {}});
  for (const std::int32_t index : {-2, 5, std::numeric_limits<std::int32_t>::max(),
                                   std::numeric_limits<std::int32_t>::min()}) {
    std::vector<std::int32_t> quartets(12, 0);
    quartets[6] = index;
    source.add_put(fmt::format("quartet_of_{}", index), {"/model/provenance/quartet", ""},
                   cells_of(CellType::i32, quartets, {3, 4}));
  }
  source.add_put("quartets_of_three", {"/model/provenance/quartet", ""},
                 {CellType::i32, 1, {3, 3}, {}});
  source.add_put("depths_too_few", {"/model/provenance/depth", ""}, {CellType::i32, 1, {2}, {}});
  for (const double odd : {-0.25, infinity}) {
    source.add_put(fmt::format("prior_error_{}", odd), {"/model/causes/prior_error", ""},
                   reals({0.5, odd, 0.5}));
    source.add_put(fmt::format("edge_stability_{}", odd), {"/model/stability/edge", ""},
                   reals({0, 0, 0, odd}));
    source.add_put(fmt::format("misfit_{}", odd), {"/model/fit", "misfit"}, one(odd));
  }
  source.add_put("failure_errors_too_few", {"/model/edges/failure_error", ""}, reals({0, 0, 0}));
  source.add_put("resamples_0", {"/model/stability", "resamples"}, one(0U));
  source.add_put("data_digest_of_letters", {"/model", "data_digest"}, one("not hexadecimal!"));
}

void add_malformed_tree(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_wrong_objects(source, "tree tree_edges_moment_error ");
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {-1.0, 1.0, 1.5, nan, infinity}) {
    source.add_put(fmt::format("mean_{}", odd), {"/tree/variables/mean", ""},
                   reals({0, 0, 0, odd, 0}));
  }
  for (const double odd : {-1.0, 0.75, nan, -infinity}) {  // of the means .5 and 0: -.5 to .5
    source.add_put(fmt::format("moment_{}", odd), {"/tree/edges/moment", ""}, reals({odd, 0, 0}));
  }
  for (const double odd : {-0.25, 0.5, 1.0, nan, infinity}) {
    source.add_put(fmt::format("crossover_{}", odd), {"/tree", "crossover"}, one(odd));
  }
  source.add_put("crossover_error_negative", {"/tree", "crossover_error"}, one(-0.25));
  for (const double odd : {-0.25, -infinity}) {
    source.add_put(fmt::format("moment_error_{}", odd), {"/tree/edges/moment_error", ""},
                   reals({0, odd, 0}));
  }
  const auto ends = [](std::vector<std::uint32_t> values) {
    const std::uint64_t n = values.size();
    return cells_of(CellType::u32, values, {n});
  };
  source.add_put("edge_to_variable_5", {"/tree/edges/b", ""}, ends({1, 3, 5}));
  source.add_put("edge_of_variable_largest", {"/tree/edges/a", ""}, ends({0, 1, 0xFFFFFFFF}));
  source.add_put("edge_to_itself", {"/tree/edges/b", ""}, ends({1, 3, 2}));
  source.add_put("edge_twice", {"/tree/edges/a", ""}, ends({0, 1, 1}));
  source.add_put("edges_in_a_cycle", {"/tree/edges/b", ""}, ends({1, 0, 3}));
  source.add_put("edges_too_few", {"/tree/edges/b", ""}, ends({1, 3}));
  source.add_put("errors_too_few", {"/tree/edges/moment_error", ""}, reals({0, 0}));
  source.add_put("means_too_many", {"/tree/variables/mean", ""}, reals({0, 0, 0, 0, 0, 0}));
  source.add_put("data_digest_of_letters", {"/tree", "data_digest"}, one("not hexadecimal!"));
}

void add_malformed_linear(MalformedFiles& files, const std::filesystem::path& good,
                          const std::filesystem::path& coupled) {
  Source source(files, good);
  add_cut_files(source);
  add_damaged_bytes(source);
  add_wrong_objects(source,
                    "linear linear_causes_covariance linear_causes_covariance_error "
                    "linear_loadings_estimate linear_loadings_error linear_observed_noise_error "
                    "linear_rank_test linear_remarks ");
  const auto matrix = [](std::vector<double> values, std::vector<std::uint64_t> shape) {
    return cells_of(CellType::f64, values, std::move(shape));
  };
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {nan, infinity, -infinity}) {
    source.add_put(fmt::format("mean_{}", odd), {"/linear/observed/mean", ""},
                   reals({0, 0, 0, odd, 0}));
    source.add_put(fmt::format("loading_{}", odd), {"/linear/loadings/value", ""},
                   matrix({1, 0, 0, odd}, {5, 2}));
    source.add_put(fmt::format("level_loading_{}", odd), {"/linear/levels/0/loading", ""},
                   matrix({odd}, {2, 3}));
  }
  for (const double odd : {-0.25, nan, infinity}) {
    source.add_put(fmt::format("noise_{}", odd), {"/linear/observed/noise", ""},
                   reals({1, 1, odd, 1, 1}));
    source.add_put(fmt::format("level_noise_{}", odd), {"/linear/levels/1/noise", ""},
                   reals({1, odd, 1}));
  }
  for (const double odd : {-2.0, 0.0, nan, infinity}) {
    source.add_put(fmt::format("covariance_{}", odd), {"/linear/causes/covariance", ""},
                   matrix({odd}, {1, 1}));
  }
  for (const double odd : {-0.25, infinity}) {
    source.add_put(fmt::format("loading_error_{}", odd), {"/linear/loadings/error", ""},
                   matrix({0, odd}, {5, 2}));
    source.add_put(fmt::format("noise_error_{}", odd), {"/linear/observed/noise_error", ""},
                   reals({odd, 0, 0, 0, 0}));
    source.add_put(fmt::format("covariance_error_{}", odd), {"/linear/causes/covariance_error", ""},
                   matrix({odd}, {2, 2}));
    source.add_put(fmt::format("rank_error_{}", odd), {"/linear/rank_test/error", ""},
                   reals({0, odd}));
  }
  source.add_put("estimate_inf", {"/linear/loadings/estimate", ""}, matrix({infinity}, {5, 2}));
  source.add_put("loadings_transposed", {"/linear/loadings/value", ""}, matrix({1}, {2, 5}));
  source.add_put("loadings_in_a_row", {"/linear/loadings/value", ""}, matrix({1}, {10}));
  source.add_put("loadings_too_large", {"/linear/loadings/value", ""},
                 matrix({1e300, 1e300}, {5, 2}));
  source.add_put("covariance_of_the_causes", {"/linear/causes/covariance", ""},
                 matrix({1, 0, 0, 1}, {2, 2}));
  source.add_put("innovations_without_a_coupling_but_levels", {"/linear/causes/coupling", ""},
                 matrix({0}, {2, 2}));
  source.add_put("rank_statistics_too_few", {"/linear/rank_test/statistic", ""}, reals({1}));
  source.add_put("law_of_another_name", {"/linear", "law"}, one("normal"));
  source.add_put("cause_named_twice", {"/linear/causes/name", ""}, cells_of({"flu", "flu"}));
  source.add_put("variable_without_a_name", {"/linear/observed/name", ""},
                 cells_of({"a", "b", "", "d", "e"}));
  source.add_put("level_named_twice", {"/linear/levels/0/name", ""}, cells_of({"u", "v", "u"}));
  source.add_put("causes_too_many", {"/linear/causes/name", ""}, cells_of({"a", "b", "c"}));
  source.add_edited("level_too_many",
                    [](EditedHdf5& file) { return file.put_group("/linear/levels/2"); });
  source.add_put("data_digest_of_letters", {"/linear", "data_digest"}, one("not hexadecimal!"));

  Source other(files, coupled);
  other.add_put("coupling_in_a_cycle", {"/linear/causes/coupling", ""},
                matrix({0, 0.5, 0.5, 0}, {2, 2}));
  other.add_put("coupling_to_itself", {"/linear/causes/coupling", ""},
                matrix({0.5, 0, 0, 0}, {2, 2}));
  for (const double odd : {0.0, -1.0, nan, infinity}) {
    other.add_put(fmt::format("innovation_{}", odd), {"/linear/causes/innovation", ""},
                  reals({odd, 1}));
  }
  other.add_put("coupling_error_negative", {"/linear/causes/coupling_error", ""},
                matrix({0, -1}, {2, 2}));
  other.add_put("covariance_beside_a_coupling", {"/linear/causes/covariance", ""},
                matrix({1, 0, 0, 1}, {2, 2}));
  other.add_edited("coupling_without_innovations", [](EditedHdf5& file) {
    return file.remove({"/linear/causes/innovation", ""});
  });
}

void add_malformed_anchored(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_cut_files(source);
  add_damaged_bytes(source);
  add_wrong_objects(
      source,
      "model model_anchors model_anchors_off model_cause_tables model_fit model_moments "
      "model_remarks ");
  const auto counts = [](std::vector<std::uint32_t> values) {
    return cells_of(CellType::u32, values, {values.size()});
  };
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {-0.25, 1.5, nan, infinity}) {
    source.add_put(fmt::format("prior_{}", odd), {"/model/causes/prior", ""},
                   reals({0.25, odd, 0.5}));
    source.add_put(fmt::format("leak_{}", odd), {"/model/observed/leak", ""},
                   reals({0, 0, odd, 0, 0}));
    source.add_put(fmt::format("failure_{}", odd), {"/model/edges/failure", ""},
                   reals({odd, 0, 0, 0, 0}));
    source.add_put(fmt::format("on_{}", odd), {"/model/cause_tables/on", ""},
                   reals({0.25, 0.5, odd, 0, 0, 0, 0}));
    source.add_put(fmt::format("rate_off_{}", odd), {"/model/anchors/off", ""}, reals({odd, 0, 0}));
    source.add_put(fmt::format("rate_on_{}", odd), {"/model/anchors/on", ""},
                   reals({0.5, 0.5, odd}));
    source.add_put(fmt::format("moment_{}", odd), {"/model/moments/cell", ""},
                   reals(std::vector<double>(18, odd)));
  }
  for (const double odd : {-0.25, infinity}) {
    source.add_put(fmt::format("prior_error_{}", odd), {"/model/causes/prior_error", ""},
                   reals({0, odd, 0}));
    source.add_put(fmt::format("rate_error_{}", odd), {"/model/anchors/on_error", ""},
                   reals({0, odd, 0}));
  }
  source.add_put("prior_of_other_tables", {"/model/causes/prior", ""}, reals({0.5, 0.5, 0.5}));
  source.add_put("edge_of_no_cause", {"/model/edges/cause", ""}, counts({0, 0, 1, 2, 3}));
  source.add_put("edges_too_few", {"/model/edges/observed", ""}, counts({0, 1}));
  source.add_put("parents_too_many", {"/model/cause_tables/n_parents", ""}, counts({0, 1, 17}));
  source.add_put("parents_beyond_counting", {"/model/cause_tables/n_parents", ""},
                 counts({4294967295U, 4294967295U, 4294967295U}));
  source.add_put("parents_of_another_cause", {"/model/cause_tables/n_parents", ""},
                 counts({1, 0, 2}));
  source.add_put("parent_of_itself", {"/model/cause_tables/parent", ""}, counts({1, 0, 1}));
  source.add_put("parents_in_a_cycle", {"/model/cause_tables/parent", ""}, counts({2, 0, 1}));
  source.add_put("parents_twice", {"/model/cause_tables/parent", ""}, counts({0, 1, 1}));
  source.add_put("parent_of_no_cause", {"/model/cause_tables/parent", ""}, counts({0, 0, 3}));
  source.add_put("table_too_short", {"/model/cause_tables/on", ""}, reals({0.25, 0.5, 0.5}));
  source.add_put("anchor_of_no_cause", {"/model/anchors/cause", ""}, counts({0, 1, 3}));
  source.add_put("anchor_of_no_variable", {"/model/anchors/observed", ""}, counts({0, 1, 5}));
  source.add_put("anchor_of_two_causes", {"/model/anchors/observed", ""}, counts({0, 0, 2}));
  source.add_put("anchors_too_few", {"/model/anchors/observed", ""}, counts({0, 1}));
  source.add_put("columns_too_many", {"/model/anchors/n_columns", ""}, counts({0, 2, 2}));
  source.add_put("columns_beyond_counting", {"/model/anchors/n_columns", ""},
                 counts({4294967295U, 4294967295U, 4}));
  source.add_put("column_in_two_unions", {"/model/anchors/column", ""},
                 cells_of({"cough", "fever at night", "cough"}));
  source.add_put("sources_too_few", {"/model/anchors/source", ""}, cells_of({"given"}));
  for (const std::uint32_t odd : {0U, 1U, 3U, 7U, 4294967295U}) {
    source.add_put(fmt::format("order_{}", odd), {"/model/moments", "order"}, one(odd));
  }
  source.add_put("data_digest_of_letters", {"/model", "data_digest"}, one("not hexadecimal!"));
}

void add_malformed_categorical(MalformedFiles& files, const std::filesystem::path& good) {
  Source source(files, good);
  add_cut_files(source);
  add_damaged_bytes(source);
  add_wrong_objects(source,
                    "categorical categorical_network categorical_network_structure "
                    "categorical_network_modes categorical_network_choices "
                    "categorical_network_remarks categorical_network_observed_counts ");
  const auto counts = [](std::vector<std::uint32_t> values) {
    return cells_of(CellType::u32, values, {values.size()});
  };
  const auto codes = [](std::uint8_t code, std::vector<std::uint64_t> shape) {
    return cells_of(CellType::u8, std::vector<std::uint8_t>(300, code), std::move(shape));
  };
  const std::string network = "/categorical_network/";
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {-0.25, 1.5, nan, infinity}) {
    source.add_put(fmt::format("prior_{}", odd), {network + "causes/prior", ""},
                   reals({odd, 0.25, 0.5, 0.25, 0.25}));
    source.add_put(fmt::format("table_{}", odd), {network + "observed/table", ""},
                   reals({odd, 0.25, 0.125, 0.875, 0.5, 0.25, 0.25, 0.5, 0.5, 0.25, 0.75, 1, 0}));
    source.add_put(fmt::format("structure_{}", odd), {network + "structure/probability", ""},
                   cells_of(CellType::f64, std::vector<double>(12, odd), {3, 4}));
  }
  for (const double odd : {-0.25, 0.0, infinity}) {
    source.add_put(fmt::format("counts_{}", odd), {network + "observed/counts", ""},
                   reals(std::vector<double>(13, odd)));
  }
  source.add_put("code_of_no_category", {"/categorical/codes", ""}, codes(3, {100, 3}));
  source.add_put("code_before_missing", {"/categorical/codes", ""}, codes(254, {100, 3}));
  source.add_put("codes_transposed", {"/categorical/codes", ""}, codes(0, {3, 100}));
  source.add_put("codes_in_a_row", {"/categorical/codes", ""}, codes(0, {300}));
  source.add_put("column_named_twice", {"/categorical/names", ""}, cells_of({"a", "b", "a"}));
  source.add_put("column_without_a_name", {"/categorical/names", ""}, cells_of({"a", "", "b"}));
  source.add_put("no_category", {"/categorical/n_categories", ""}, counts({0, 5, 2}));
  source.add_put("categories_beyond_counting", {"/categorical/n_categories", ""},
                 counts({4294967295U, 4294967295U, 4294967295U}));
  source.add_put("category_twice", {"/categorical/category", ""},
                 cells_of({"no", "no", "low", "mid", "high", "a", "b"}));
  source.add_put("states_too_few", {network + "causes/cardinality", ""}, counts({1, 4}));
  source.add_put("states_beyond_counting", {network + "causes/cardinality", ""},
                 counts({4294967295U, 4294967295U}));
  source.add_put("cause_named_twice", {network + "causes/name", ""}, cells_of({"flu", "flu"}));
  source.add_put("parent_of_no_cause", {network + "observed/parent", ""}, counts({0, 2}));
  source.add_put("parents_of_another", {network + "observed/n_parents", ""}, counts({2, 0, 0}));
  source.add_put("parents_beyond_counting", {network + "observed/n_parents", ""},
                 counts({4294967295U, 4294967295U, 4294967295U}));
  source.add_put("table_too_short", {network + "observed/table", ""}, reals({0.5, 0.5}));
  source.add_put("parent_sets_twice", {network + "structure/parent", ""}, counts({0, 0, 0, 1}));
  source.add_put("parent_set_not_rising", {network + "structure/parent", ""}, counts({0, 1, 1, 0}));
  source.add_put("mode_of_no_variable", {network + "modes/variable", ""}, counts({0, 3}));
  source.add_put("modes_too_few", {network + "modes/log_evidence", ""}, reals({0}));
  source.add_put("choices_too_many", {network + "choices/held_out", ""}, reals({0, 0, 0}));
  source.add_put("data_digest_of_letters", {"/categorical_network", "data_digest"},
                 one("not hexadecimal!"));
}

}  // namespace orrery::fuzz
