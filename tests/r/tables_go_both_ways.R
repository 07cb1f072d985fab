# orrery_write_samples and orrery_read_samples: what is written is read again, and is what the program
# exports; words of bits whose highest bit is on above all, which R has no integers for.
source(file.path(Sys.getenv("PROJECT"), "tests/r/checks.R"))
set.seed(1)

both_ways <- function(what, table, ...) {
  orrery_write_samples("table.h5", table, ...)
  read <- orrery_read_samples("table.h5")
  check(what, identical(read, table))
  program("export", "table.h5", rows = TRUE, format = "csv", output = "table.csv")
}

bits <- data.frame(a = runif(1000) < 0.9, `b,c` = runif(1000) < 0.5, `d "e"` = runif(1000) < 0.5,
                   `é` = runif(1000) < 0.1, check.names = FALSE)
both_ways("bits", bits)
check("bits as a program exports them", all(as.matrix(utils::read.csv("table.csv")) == as.matrix(bits)))
bits$a[3] <- NA
rownames(bits) <- paste("row", 1:1000)
both_ways("missing bits and names of rows", bits)
matrix <- orrery_read_samples("table.h5", as = "matrix")
check("a matrix of bits", is.integer(matrix) && identical(which(is.na(matrix)), 3L) &&
        all(matrix == as.matrix(bits), na.rm = TRUE) && identical(dimnames(matrix), dimnames(as.matrix(bits))))
orrery_write_samples("again.h5", matrix)
check("a matrix into a file", identical(orrery_read_samples("again.h5"), bits))
if (requireNamespace("Matrix", quietly = TRUE)) {
  sparse <- Matrix::rsparsematrix(50, 70, 0.1, rand.x = function(n) rep(1, n))
  orrery_write_samples("sparse.h5", sparse)
  check("a sparse matrix", all(orrery_read_samples("sparse.h5", as = "matrix") == as.matrix(sparse)))
}
program("sample", network = "img", samples = 1000, output = "img.h5")
program("export", "img.h5", rows = TRUE, format = "csv", output = "img.csv")
check("samples of a network", all(orrery_read_samples("img.h5", as = "matrix") == as.matrix(utils::read.csv("img.csv"))))

numbers <- data.frame(x = rnorm(200) * 10^runif(200, -30, 30), n = as.numeric(rpois(200, 3)), y = rnorm(200))
numbers$y[7] <- NA
both_ways("numbers to the last digit", numbers)
orrery_write_samples("counts.h5", numbers["n"][, c(1, 1)], kind = "numeric")
same("counts", orrery_read_samples("counts.h5")[[1]], numbers$n)

answers <- data.frame(
  level = factor(sample(c("low", "middle, or so", "high"), 100, TRUE), levels = c("low", "middle, or so", "high", "never \"seen\"")),
  town = factor(sample(c("Æ", "B c"), 100, TRUE)))
answers$level[5] <- NA
both_ways("categories", answers)
rownames(answers) <- paste0("p", 1:100)
both_ways("categories with names of rows", answers)
matrix <- orrery_read_samples("table.h5", as = "matrix")
check("a matrix of words", identical(matrix, as.matrix(answers)))
orrery_write_samples("words.h5", data.frame(a = c("x", "y", NA), b = c("u", "u", "v")))
check("words are sorted", identical(levels(orrery_read_samples("words.h5")$a), c("x", "y")))
orrery_write_samples("codes.h5", data.frame(a = c(3, 1, 2), b = c(1, 1, 2)), kind = "categorical")
check("codes", identical(levels(orrery_read_samples("codes.h5")$a), c("1", "2", "3")))

refuses("column 'w' holds categories and column 'n' numbers", orrery_write_samples("no.h5", data.frame(n = 0:1, w = c("a", "b"))))
refuses("3 is neither 0 nor 1.*kind = \"numeric\"", orrery_write_samples("no.h5", data.frame(n = c(0, 3), m = 0:1)))
error <- refuses("table.csv: row 1.*2 is neither 0 nor 1|'2'", orrery_write_samples("no.h5", data.frame(n = c(2, 1), m = 0:1), kind = "binary"))
check("the program says so", inherits(error, "orrery_error") && error$exit_code == 3 && !file.exists("no.h5"))
finish()
