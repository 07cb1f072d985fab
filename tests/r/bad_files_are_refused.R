# Files that are not orrery's, of another schema or kind, or damaged, are refused in clear words.
source(file.path(Sys.getenv("PROJECT"), "tests/r/checks.R"))

paths <- family("tree", "tree:recursive:12", 1000, "tree")
program("infer", paths$model, paths$data, output = "posterior.h5")
writeLines("a,b", "table.csv")
other <- hdf5r::H5File$new("other.h5", "w")
other[["X"]] <- matrix(0, 2, 2)
other$close_all()
for (reader in c(orrery_read_samples, orrery_read_model, orrery_read_posterior)) {
  error <- refuses("table.csv: not an HDF5 file", reader("table.csv"))
  check("an error of orrery", inherits(error, "orrery_error"))
  refuses("other.h5: an HDF5 file, but not one of orrery's", reader("other.h5"))
  refuses("nowhere.h5: no such file", reader("nowhere.h5"))
}
refuses("tree.model.h5: the file holds /tree, but orrery_read_samples reads .*; use orrery_read_model",
        orrery_read_samples(paths$model))
refuses("use orrery_read_posterior", orrery_read_model("posterior.h5"))
refuses("use orrery_read_samples or orrery_read_model", orrery_read_posterior(paths$data))

changed <- function(path, change) {
  file.copy(path, "changed.h5", overwrite = TRUE)
  file <- hdf5r::H5File$new("changed.h5", "r+")
  change(file)
  file$close_all()
  "changed.h5"
}
schema <- function(file) {
  file$attr_delete("schema")
  file$create_attr("schema", 2L, dtype = hdf5r::h5types$H5T_STD_U32LE, space = hdf5r::H5S$new("scalar"))
}
refuses("schema 2, this script reads schema 1; use a newer", orrery_read_model(changed(paths$model, schema)))
moment <- function(file) file[["tree/edges/moment"]][1] <- 0.123
refuses("digest of /tree/edges/moment", orrery_read_model(changed(paths$model, moment)))
block <- function(file) file[["samples/block_digests"]][1] <- 5
refuses("digest", orrery_read_samples(changed(paths$data, block)))
content <- readBin("tree.model.h5", "raw", file.size("tree.model.h5"))
writeBin(content[1:1000], "cut.h5")
refuses("cut.h5: the file is damaged or truncated", orrery_read_posterior("cut.h5"))
refuses("cut.h5: the file is damaged or truncated", orrery_read_model("cut.h5"))

# Without the program models are read all the same, with a warning.
Sys.setenv(ORRERY = "/nowhere")
warned <- NULL
options(warn = 0)
model <- withCallingHandlers(orrery_read_model(paths$model), warning = function(w) {
  warned <<- conditionMessage(w)
  invokeRestart("muffleWarning")
})
check("a warning", grepl("digests are not compared", warned) && nrow(model$edges) == 11)
refuses("no program orrery", orrery_read_samples(paths$data))
finish()
