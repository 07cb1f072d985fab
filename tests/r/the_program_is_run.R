# orrery_run: options, what is returned and what is raised.
source(file.path(Sys.getenv("PROJECT"), "tests/r/checks.R"))

same("options", orrery_arguments(list(time_limit = "2s", samples = 1e6, tau = 0.05, drop = c("a b", "c"), quiet = TRUE,
                                      dry_run = FALSE, test = NULL, o = "m.h5", v = TRUE)),
     c("--time-limit=2s", "--samples=1000000", "--tau=0.05", "--drop=a b", "--drop=c", "--quiet", "-o", "m.h5", "-v"))
same("two outputs", orrery_arguments(list(output = c("a.h5", "b.h5"))), c("-o", "a.h5", "b.h5"))

orrery_run("sample", network = "img", samples = 60, seed = 3, output = "it's data.h5", echo = FALSE)
told <- orrery_run("info", "it's data.h5", json = TRUE, echo = FALSE)
check("JSON", told$samples$n_samples == 60 && told$samples$n_observed == 64)
orrery_run("split", "it's data.h5", test = "1/3", output = c("train.h5", "test.h5"), echo = FALSE)
check("both outputs", nrow(orrery_read_samples("test.h5")) == 20)
check("lines", startsWith(orrery_run("export", "test.h5", rows = TRUE, format = "csv", output = "-", echo = FALSE)[1], "x0,x1,"))

error <- refuses("nowhere.h5: no such file; check the path \\(exit code 3\\)",
                 orrery_run("learn", "quartet", "nowhere.h5", output = "m.h5", echo = FALSE))
check("what an error holds", inherits(error, "orrery_error") && !inherits(error, "orrery_stopped") && error$exit_code == 3 &&
        identical(error$command[2:4], c("learn", "quartet", "nowhere.h5")) && any(grepl("no such file", error$log)))
check("usage", refuses("not an option", orrery_run("info", "test.h5", nonsense = 1, echo = FALSE))$exit_code == 2)

writeLines(c("#!/bin/sh", "echo 'stopped at c.h5' >&2", "exit 75"), "fake")
Sys.chmod("fake", "755")
Sys.setenv(ORRERY = file.path(getwd(), "fake"))
error <- refuses("stopped at c.h5", orrery_run("learn", echo = FALSE))
check("a stop is told apart", inherits(error, "orrery_stopped") && inherits(error, "orrery_error") && error$exit_code == 75)

# The log goes to standard error, as of a process of its own.
said <- function(arguments) {
  text <- sprintf("source('%s/src/r/orrery.R'); try(orrery_run(%s), silent = TRUE)", project, arguments)
  system2("/usr/bin/Rscript", c("--vanilla", "-e", shQuote(text)), stdout = TRUE, stderr = TRUE)
}
same("the log is shown", said("'learn'"), "stopped at c.h5")
check("or is not", length(said("'learn', echo = FALSE")) == 0)
Sys.setenv(ORRERY = "/nowhere")
refuses("no program orrery on PATH; install it", orrery_run("info"))
finish()
