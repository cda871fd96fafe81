//! Prints the rows of a group as a table.

use crate::row::Row;

const HEAD: [&str; 5] = ["", "figure", "limit", "", "ratio"];

/// Prints a table, columns as wide as their widest cell.
pub fn print(rows: &[Row]) {
    let head = HEAD.map(str::to_owned);
    let lines: Vec<[String; 5]> = std::iter::once(head)
        .chain(rows.iter().map(Row::cells))
        .collect();
    let mut widths = [0; 5];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let [name, figure, limit, holds, ratio] = widths;
    for [a, b, c, d, e] in &lines {
        let line = format!("{a:name$}  {b:>figure$}  {c:>limit$}  {d:holds$}  {e:ratio$}");
        println!("{}", line.trim_end());
    }
}
