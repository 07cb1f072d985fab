# The example of src/r/README.md runs as it stands, beside orrery.R, and the table names every function.
source(file.path(Sys.getenv("PROJECT"), "tests/r/checks.R"))
lines <- readLines(file.path(project, "src/r/README.md"), encoding = "UTF-8")
begin <- which(lines == "```r")
ends <- which(lines == "```")
check("an example", length(begin) == 1)
writeLines(lines[(begin + 1):(ends[ends > begin][1] - 1)], "example.R")
invisible(file.copy(file.path(project, "src/r/orrery.R"), "."))
said <- system2("/usr/bin/Rscript", c("--vanilla", "example.R"), stdout = TRUE, stderr = TRUE)
if (!is.null(attr(said, "status"))) cat(said, sep = "\n")
check("it runs", is.null(attr(said, "status")))
check("two causes", sum(grepl("^[12] +cause[01] +0\\.[234]", said)) == 2)
check("posteriors", any(grepl("^patient 6 ", said)))
for (name in c("orrery_read_samples", "orrery_read_model", "orrery_read_posterior", "orrery_write_samples", "orrery_run")) {
  check(name, any(grepl(paste0("^\\| `", name, "\\("), lines)))
}
finish()
