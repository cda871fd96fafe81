// {{banner}}
//
// What travels between tools, hosts and sessions. Readers take more than is declared here: a
// token of a later version reads as the safe end, an unknown key is skipped.

{{declarations}}
