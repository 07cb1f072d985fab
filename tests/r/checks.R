# Sourced by every test here: checks are counted, a failed one is told, `finish()` ends the test.
#   check(WHAT, CONDITION)      the condition is TRUE
#   same(WHAT, FOUND, WANTED)   they are equal, numbers to the last digit; names do not count
#   refuses(TEXT, CALL)         the call raises an error whose message holds the text; returns it
options(warn = 2, digits = 17)
project <- Sys.getenv("PROJECT")
source(file.path(project, "src/r/orrery.R"))
checks <- 0
failures <- 0

check <- function(what, condition) {
  checks <<- checks + 1
  if (!isTRUE(condition)) {
    failures <<- failures + 1
    cat("FAILED:", what, "\n")
  }
}

same <- function(what, found, wanted) {
  if (is.numeric(found)) {
    found <- as.numeric(found)
    wanted <- as.numeric(unlist(lapply(wanted, function(value) if (is.null(value)) NaN else value)))
    check(what, length(found) == length(wanted) && all(found == wanted | (is.nan(found) & is.na(wanted))))
  } else {
    check(what, identical(as.vector(unlist(found)), as.vector(unlist(wanted))))
  }
}

refuses <- function(text, call) {
  error <- tryCatch({
    call
    NULL
  }, error = identity)
  check(paste("refuses:", text, "in", if (!is.null(error)) conditionMessage(error)),
        !is.null(error) && grepl(text, conditionMessage(error)))
  invisible(error)
}

finish <- function() {
  cat(checks, "checks,", failures, "failures\n")
  quit(status = if (checks > 0 && failures == 0) 0 else 1)
}

program <- function(...) orrery_run(..., quiet = TRUE, echo = FALSE)

# What the program exports of a model.
exported <- function(path) {
  jsonlite::fromJSON(paste(program("export", path, format = "json", output = "-"), collapse = "\n"),
                     simplifyVector = FALSE)
}

members <- function(entries, name) lapply(entries, function(entry) entry[[name]])

# Data and a model: family.data.h5, family.model.h5.
family <- function(name, network, samples, ...) {
  data <- paste0(name, ".data.h5")
  model <- paste0(name, ".model.h5")
  program("sample", network = network, samples = samples, seed = 3, output = data)
  program("learn", ..., data, seed = 5, output = model)
  invisible(list(data = data, model = model))
}
