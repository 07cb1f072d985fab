// A categorical network of a JSON text, which stands in no file. Who includes this is linked with
// the table of families (orrery_test's FAMILIES).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "family/table.hpp"
#include "model/json_entry.hpp"
#include "orrery/model/categorical_network.hpp"
#include "store/archive.hpp"

namespace orrery::model {

inline LearnedCategorical categorical_from_json(const std::string& text,
                                                const std::string& source) {
  const nlohmann::json document = parse_json(text, source);
  LearnedCategorical learned;
  store::read_json_fields(JsonEntry(document, source), [&](store::Archive& archive) {
    learned =
        *family::family_of(family::AnyModel(learned)).fields.read(archive).as<LearnedCategorical>();
  });
  return learned;
}

}  // namespace orrery::model
