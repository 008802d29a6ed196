// Package stock tests the pure-JS client for stock k6 (k6/lib/grpcweb.js) on sobek, k6's JavaScript
// engine: Node and browsers understand more of the language.
package stock
