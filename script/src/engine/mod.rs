//! The JavaScript engine: one virtual machine per virtual user, on a fiber of its own.

mod event_loop;
mod exception;
mod fiber;
mod interrupt;
mod layout;
mod loader;
mod native;
mod property;
mod search;
mod source;
mod text;
mod version;
mod vm;
mod vu;

pub use event_loop::{Event, EventLoop, Keeper};
pub use exception::{ScriptException, throw};
pub use fiber::{Panicked, WaitError};
pub use interrupt::Interrupt;
pub(crate) use layout::Layout;
pub(crate) use loader::module_path;
pub(crate) use native::{Arguments, Native, native_function};
pub(crate) use property::{KnownName, Properties, each_property, empty_object, is_object};
pub use source::{SourceError, Sources};
pub(crate) use text::ascii;
pub use version::version;
pub(crate) use vm::{CallError, Vm, setup_data};
pub(crate) use vu::throw_uncatchable;
pub use vu::{Activation, Phase, Vu, wait};
