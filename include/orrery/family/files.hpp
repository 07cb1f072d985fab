// The files of orrery in a program: samples and models of every family, as the commands read and
// write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/any_model.hpp"

namespace orrery {

/// /samples of an HDF5 file, all rows in memory.
/// @throws InputError for a file that has none, or that is damaged
data::SampleMatrix read_samples(const std::filesystem::path& path);

/// A new HDF5 file, as `orrery import` writes it: checked, synced and renamed. Where the mask is set
/// `samples.values` may hold anything.
/// @throws InputError for samples without columns, and for names or a mask that do not fit them;
///     EnvironmentError without permission or room on the disk
void write_samples(const std::filesystem::path& path, const data::SampleMatrix& samples);

/// A model file of any family, HDF5 or JSON; FILE:NAME, one network of several; or a built-in
/// network, such as "img", whose random parts follow from `seed`. What it holds `AnyModel::as`
/// says: a model::LearnedModel, model::LearnedTree, model::LearnedLinear or
/// model::LearnedCategorical.
/// @throws InputError
model::AnyModel read_model(const std::string& file_or_network, std::uint64_t seed = 1);

/// A new HDF5 file, as `orrery learn` writes it.
/// @throws EnvironmentError without permission or room on the disk
void write_model(const std::filesystem::path& path, const model::AnyModel& model);

}  // namespace orrery
