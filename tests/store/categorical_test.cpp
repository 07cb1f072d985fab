#include "base/message_parts.hpp"
#include "families/categorical/network/examples.hpp"
#include "store/edited_hdf5.hpp"
#include "store/store_fixture.hpp"
#include "store/tables.hpp"

namespace orrery::store {
namespace {

using data::CategoricalTable;
using data::missing_code;
using model::LearnedCategorical;
using model::categorical_examples::learned_categorical_example;

CategoricalTable some_table() {
  return {{"pain", "Schmerz, \"stark\""},
          {{"no", "yes"}, {"low", "", "右"}},
          3,
          {0, 2, missing_code, 1, 1, missing_code}};
}

CategoricalTable storable_table() {
  CategoricalTable table = some_table();
  table.categories[1][1] = "mid";
  return table;
}

Cells reals(const std::vector<double>& values) {
  return cells_of(CellType::f64, values, {values.size()});
}
Cells counts(const std::vector<std::uint32_t>& values) {
  return cells_of(CellType::u32, values, {values.size()});
}

class CategoricalTest : public StoreTest {
 protected:
  /// What is said of a good file of which the object was replaced, its digest made to agree.
  std::string refusal_with(const Place& place, const Cells& cells) {
    write_categorical(path("n.h5"), storable_table(), some_run());
    if (place.object.starts_with("/categorical_network")) {
      write_model(path("n.h5"), learned_categorical_example(), some_run());
    }
    {
      EditedHdf5 file(path("n.h5"));
      EXPECT_TRUE(file.put(place, cells));
      file.repair_digests();
    }
    return message_of<InputError>([&] {
      if (place.object.starts_with("/categorical_network")) {
        static_cast<void>(read_categorical_network(path("n.h5")));
      } else {
        static_cast<void>(read_categorical(path("n.h5")));
      }
    });
  }
};

TEST_F(CategoricalTest, a_table_round_trips_and_its_digest_is_of_all_of_it) {
  const CategoricalTable table = storable_table();
  write_categorical(path("t.h5"), table, some_run());
  const StoredTable stored = read_categorical(path("t.h5"));
  EXPECT_TRUE(stored.table == table);
  EXPECT_TRUE(inspect(path("t.h5")).has("categorical"));
  EXPECT_FALSE(inspect(path("t.h5")).has("categorical_network"));
  const auto digest_of_changed = [&](const std::function<void(CategoricalTable&)>& change) {
    CategoricalTable other = table;
    change(other);
    write_categorical(path("o.h5"), other, some_run());
    return read_categorical(path("o.h5")).digest;
  };
  EXPECT_EQ(digest_of_changed([](CategoricalTable&) {}), stored.digest);
  EXPECT_NE(digest_of_changed([](CategoricalTable& t) { t.codes[0] = 1; }), stored.digest);
  EXPECT_NE(digest_of_changed([](CategoricalTable& t) { t.names[0] = "x"; }), stored.digest);
  EXPECT_NE(digest_of_changed([](CategoricalTable& t) { t.categories[1][0] = "x"; }),
            stored.digest);
  EXPECT_NE(digest_of_changed([](CategoricalTable& t) { t.categories[0].push_back("x"); }),
            stored.digest);
}

TEST_F(CategoricalTest, tables_without_rows_and_of_many_chunks_round_trip) {
  CategoricalTable empty = storable_table();
  empty.n_rows = 0;
  empty.codes.clear();
  write_categorical(path("t.h5"), empty, some_run());
  EXPECT_TRUE(read_categorical(path("t.h5")).table == empty);
  CategoricalTable large = storable_table();
  large.n_rows = 1'200'000;  // 2.4 MB: three chunks, the last not full
  large.codes.resize(2 * large.n_rows);
  for (std::size_t e = 0; e < large.codes.size(); ++e) {
    large.codes[e] = e % 7 == 0 ? missing_code : static_cast<std::uint8_t>(e % 13 % 2);
  }
  write_categorical(path("t.h5"), large, some_run());
  EXPECT_TRUE(read_categorical(path("t.h5")).table == large);
}

TEST_F(CategoricalTest, tables_that_do_not_fit_are_not_written) {
  EXPECT_THROW(write_categorical(path("t.h5"), some_table(), some_run()), InputError);
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(CategoricalTest, samples_carry_the_network_they_were_drawn_from) {
  const LearnedCategorical truth = learned_categorical_example();
  write_categorical(path("t.h5"), storable_table(), some_run(), group_of(truth));
  expect_same(read_categorical_network(path("t.h5")), truth);
  EXPECT_TRUE(read_categorical(path("t.h5")).table == storable_table());
}

TEST_F(CategoricalTest, files_of_other_samples_say_what_they_hold) {
  write_samples(path("bits.h5"), 10, {"a", "b"});
  write_categorical(path("t.h5"), storable_table(), some_run());
  expect_part(message_of<InputError>([&] { (void)read_categorical(path("bits.h5")); }),
              "the file holds bits (/samples), but this command reads categories");
  expect_part(message_of<InputError>([&] { (void)read_samples(path("t.h5")); }),
              "the file holds categories (/categorical), but this command reads bits");
  expect_part(message_of<InputError>([&] { (void)read_categorical_network(path("t.h5")); }),
              "no /categorical_network, but /categorical;");
}

TEST_F(CategoricalTest, tables_that_cannot_be_are_refused) {
  const auto codes = [](std::vector<std::uint8_t> values, std::vector<std::uint64_t> shape) {
    return cells_of(CellType::u8, values, std::move(shape));
  };
  expect_part(refusal_with({"/categorical/codes", ""}, codes({0, 3, 0, 0, 0, 0}, {3, 2})),
              "row 1, column");
  expect_part(refusal_with({"/categorical/codes", ""}, codes({0, 1, 0, 0}, {2, 2})),
              "/categorical/codes is 2 x 2, but must be 3 x 2");
  expect_part(refusal_with({"/categorical/n_categories", ""}, counts({2, 4294967295U})),
              "/categorical/category");
  expect_part(refusal_with({"/categorical/n_categories", ""}, counts({0, 5})), "0 categories");
  expect_part(refusal_with({"/categorical/names", ""}, cells_of({"a", "a"})), "repeats the name");
  write_categorical(path("t.h5"), storable_table(), some_run());
  EditedHdf5(path("t.h5")).overwrite({"/categorical", "digest"}, "0123456789abcdef");
  expect_part(message_of<InputError>([&] { (void)read_categorical(path("t.h5")); }),
              "the digest of /categorical is 0123456789abcdef, but its datasets give");
}

TEST_F(CategoricalTest, networks_that_cannot_be_are_refused) {
  const std::string at = "/categorical_network/";
  expect_part(refusal_with({at + "causes/prior", ""}, reals({.5, .75, .5, .125, .375})),
              "the prior of cause \"u\" sums to 1.25");
  expect_part(refusal_with({at + "causes/cardinality", ""}, counts({1, 4})),
              "observed/table is 26, but must be 21");
  expect_part(refusal_with({at + "causes/cardinality", ""}, counts({2, 4})),
              "causes/prior is 5, but must be 6");
  expect_part(refusal_with({at + "observed/parent", ""}, counts({0, 1, 0, 2})), "parent 2 of 2");
  expect_part(refusal_with({at + "observed/n_parents", ""}, counts({0, 1, 2, 1})),
              "has the parents [1, 0]; rising numbers");
  expect_part(refusal_with({at + "observed/table", ""}, reals({.3, .7})),
              "observed/table is 2, but must be 26");
  expect_part(refusal_with({at + "structure/probability", ""},
                           cells_of(CellType::f64, std::vector<double>(16, .5), {4, 4})),
              "structure[0] sums to 2");
  expect_part(refusal_with({at + "modes/variable", ""}, counts({0, 0, 9})), "of variable 9");
  expect_part(refusal_with({at + "choices/error", ""}, reals({1})), "choices/error is 1");
}

}  // namespace
}  // namespace orrery::store
