# The table of src/r/README.md names every function. tests/manual/snippets runs its example.
source(file.path(Sys.getenv("PROJECT"), "tests/r/checks.R"))
lines <- readLines(file.path(project, "src/r/README.md"), encoding = "UTF-8")
for (name in c("orrery_read_samples", "orrery_read_model", "orrery_read_posterior", "orrery_write_samples", "orrery_run")) {
  check(name, any(grepl(paste0("^\\| `", name, "\\("), lines)))
}
finish()
