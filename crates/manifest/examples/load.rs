fn main(){
 let root = std::env::args().nth(1).unwrap();
 let t = std::time::Instant::now();
 let (folder, findings) = toolcontract_manifest::load(std::path::Path::new(&root)).unwrap();
 println!("{:?} {}", t.elapsed(), folder.map_or(0, |f| f.tools.len()));
 for f in &findings { println!("{}:{:?} {} {} [{:?}]", f.path, f.place().map(|p| (p.0.line,p.0.column)), f.rule, f.message, f.help); }
}
