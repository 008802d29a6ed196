package vutest

import "regexp"

// The forms of import and export that our scripts use.
var moduleForms = []struct {
	form *regexp.Regexp
	code string
}{
	{regexp.MustCompile(`(?m)^import (\w+) from ('k6/x/grpcweb');$`), `const $1 = require($2);`},
	{regexp.MustCompile(`(?m)^import (\{[^}]*\}) from ('k6');$`), `const $1 = require($2);`},
	{regexp.MustCompile(`(?m)^export const `), `const `},
	{regexp.MustCompile(`(?m)^export default (async )?function \(\)`), `${1}function iteration()`},
}

// Script turns a module into a script: modulestest runs scripts, k6 runs modules. The default export
// becomes the function iteration. Other scripts stay as they are.
func Script(module string) string {
	for _, form := range moduleForms {
		module = form.form.ReplaceAllString(module, form.code)
	}
	return module
}
