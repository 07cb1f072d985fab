// FOFC of Tetrad (Kummerfeld, Ramsey 2016) with several settings, for jobs/linear/fofc:
//
//   java -cp TETRAD.jar FindClusters.java COVARIANCE ROWS SETTING...
//
// COVARIANCE: a line of numbers per variable. A setting is TEST:ALGORITHM:ALPHA, say
// TETRAD_WISHART:GAP:0.001. Prints a line per setting: the setting, a tab, and its clusters, which
// are numbers of variables with blanks between them and semicolons behind them.
import edu.cmu.tetrad.data.ContinuousVariable;
import edu.cmu.tetrad.data.CovarianceMatrix;
import edu.cmu.tetrad.graph.Node;
import edu.cmu.tetrad.search.Fofc;
import edu.cmu.tetrad.search.utils.BpcTestType;
import edu.cmu.tetrad.util.Matrix;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

public class FindClusters {
  public static void main(String[] arguments) throws Exception {
    double[][] covariance = Files.readAllLines(Path.of(arguments[0])).stream()
        .map(line -> Stream.of(line.trim().split(" +")).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
    int rows = Integer.parseInt(arguments[1]);
    List<Node> variables = new ArrayList<>();
    for (int i = 0; i < covariance.length; ++i) variables.add(new ContinuousVariable("x" + i));
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));  // Tetrad tells what it does
    for (int s = 2; s < arguments.length; ++s) {
      String[] setting = arguments[s].split(":");
      Fofc search = new Fofc(new CovarianceMatrix(variables, new Matrix(covariance), rows),
                             BpcTestType.valueOf(setting[0]), Fofc.Algorithm.valueOf(setting[1]),
                             Double.parseDouble(setting[2]));
      search.search();
      StringBuilder line = new StringBuilder(arguments[s]).append('\t');
      for (List<Node> cluster : search.getClusters()) {
        for (Node variable : cluster) line.append(variable.getName().substring(1)).append(' ');
        line.append(';');
      }
      out.println(line);
    }
  }
}
