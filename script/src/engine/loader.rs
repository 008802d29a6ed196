//! Where imports lead: built-in modules and files.

use std::{
    path::{Path, PathBuf},
    str,
    sync::Arc,
};

use rquickjs::{
    Ctx, Module, Result,
    function::Func,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
};

use super::{Sources, exception::throw, source::Bytecode};
use crate::{module::builtin, paths};

/// The scheme of a module's name, as k6 prints it.
const SCHEME: &str = "file://";

/// The name under which the engine knows a file.
pub(crate) fn module_url(path: &Path) -> String {
    format!("{SCHEME}{}", paths::normal(path).display())
}

/// The file behind a module's name.
pub(crate) fn module_path(url: &str) -> PathBuf {
    PathBuf::from(url.strip_prefix(SCHEME).unwrap_or(url))
}

/// Resolves the specifiers of `import`.
pub(super) struct ScriptResolver {
    pub(super) sources: Arc<Sources>,
}

impl Resolver for ScriptResolver {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        if name == "k6" || name.starts_with("k6/") {
            return match builtin::find(name) {
                Ok(_) => Ok(name.to_owned()),
                Err(error) => Err(throw(ctx, error.to_string())),
            };
        }
        if Path::new(name).extension().is_some_and(|end| end == "json") {
            let message = format!("import of {name}: JSON is no module; use JSON.parse(open(…))");
            return Err(throw(ctx, message));
        }
        let base = module_path(base);
        let path = specifier_path(&base, name).map_err(|message| throw(ctx, message))?;
        // Read here, for who loads it does not know who asks for it.
        if let Err(error) = self.sources.read(&path) {
            let base = base.display();
            return Err(throw(ctx, format!("import of {name} in {base}: {error}")));
        }
        Ok(module_url(&path))
    }
}

/// The file that a specifier names in the file `base`, or what is wrong with it.
fn specifier_path(base: &Path, name: &str) -> std::result::Result<PathBuf, String> {
    if name.starts_with("https://") || name.starts_with("http://") {
        return Err(format!(
            "import of {name}: modules from the network are not built into this runner; \
             keep a copy beside the script, or run the script with k6"
        ));
    }
    let is_path = ["./", "../", "/", SCHEME]
        .iter()
        .any(|start| name.starts_with(start));
    if !is_path {
        return Err(format!(
            "import of {name}: this is neither a k6 module nor a path; a path begins with ./, ../ \
             or / and has its extension"
        ));
    }
    let path = match base.parent() {
        Some(directory) => directory.join(module_path(name)),
        None => module_path(name),
    };
    if path.extension().is_some_and(|extension| extension == "ts") {
        return Err(format!(
            "import of {name}: TypeScript is not built into this runner; compile it first, or run \
             the script with k6"
        ));
    }
    Ok(paths::normal(&path))
}

/// Loads what [`ScriptResolver`] has resolved.
pub(super) struct ScriptLoader {
    pub(super) sources: Arc<Sources>,
}

impl Loader for ScriptLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        if let Ok(declare) = builtin::find(name) {
            return declare(ctx, name);
        }
        // Whoever imports it resolves its imports, which loading does not.
        let path = module_path(name);
        if let Some(compiled) = self.sources.compiled(&path) {
            let module = compiled.load(ctx)?;
            if compiled.asks_for_meta() {
                set_meta(&module, name, path)?;
            }
            return Ok(module);
        }
        let (module, asks_for_meta) = declare(ctx, &self.sources, name)?;
        let bytecode = Bytecode::new(&module, asks_for_meta)?;
        self.sources.keep_compiled(path, bytecode);
        Ok(module)
    }
}

/// Declares the module of a file from its source.
pub(super) fn declare_file<'js>(
    ctx: &Ctx<'js>,
    sources: &Sources,
    url: &str,
) -> Result<Module<'js, Declared>> {
    declare(ctx, sources, url).map(|(module, _)| module)
}

/// The module, and whether it may use `import.meta`.
fn declare<'js>(
    ctx: &Ctx<'js>,
    sources: &Sources,
    url: &str,
) -> Result<(Module<'js, Declared>, bool)> {
    let path = module_path(url);
    let content = sources
        .read(&path)
        .map_err(|error| throw(ctx, error.to_string()))?;
    let text = str::from_utf8(&content)
        .map_err(|error| throw(ctx, format!("{} is not UTF-8: {error}", path.display())))?;
    let module = Module::declare(ctx.clone(), url, text)?;
    // It takes memory in every virtual user, and the word has no other spelling.
    let asks_for_meta = text.contains("meta");
    if asks_for_meta {
        set_meta(&module, url, path)?;
    }
    Ok((module, asks_for_meta))
}

/// Fills in `import.meta`.
fn set_meta(module: &Module<'_, Declared>, url: &str, base: PathBuf) -> Result<()> {
    let meta = module.meta()?;
    meta.set("url", url)?;
    meta.set(
        "resolve",
        Func::from(move |ctx: Ctx<'_>, name: String| {
            specifier_path(&base, &name)
                .map(|path| module_url(&path))
                .map_err(|message| throw(&ctx, message))
        }),
    )
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn specifiers_resolve_against_the_importing_file() {
        let base = Path::new("/suite/lib/checks.js");
        for (name, path) in [
            ("./lines.js", "/suite/lib/lines.js"),
            ("../a-rest.js", "/suite/a-rest.js"),
            ("/other/x.js", "/other/x.js"),
            ("file:///other/y.js", "/other/y.js"),
        ] {
            assert_eq!(specifier_path(base, name).unwrap(), Path::new(path));
        }
    }

    #[test]
    fn what_cannot_be_imported_is_named_with_the_remedy() {
        let base = Path::new("/suite/a.js");
        let network = specifier_path(base, "https://jslib.k6.io/x.js").unwrap_err();
        assert!(network.contains("https://jslib.k6.io/x.js") && network.contains("with k6"));
        let package = specifier_path(base, "lodash").unwrap_err();
        assert!(package.contains("lodash") && package.contains("./"));
        assert!(
            specifier_path(base, "./x.ts")
                .unwrap_err()
                .contains("TypeScript")
        );
    }
}
