//! The lab's port.

use std::cell::RefCell;
use std::rc::Rc;

use slabscope_worker::port::{Port, later};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Blob;

use crate::desk::{Desk, Step};
use crate::file::Fetch;
use crate::task::{Reply, Task};

/// Listens to the page from now on.
pub fn start() {
    let Some(port) = Port::new() else { return };
    let lab = Rc::new(Lab { port: port.clone(), desk: RefCell::default(), turn: RefCell::default() });
    port.listen(&Reply::Ready, move |task: Task, along: JsValue| lab.take(&task, along));
}

struct Lab {
    port: Port,
    desk: RefCell<Desk>,
    /// Counts tasks, so that a step of one that was replaced is not taken.
    turn: RefCell<u32>,
}

impl Lab {
    fn take(self: &Rc<Self>, task: &Task, along: JsValue) {
        *self.turn.borrow_mut() += 1;
        if let Ok(blob) = along.dyn_into::<Blob>() {
            return self.fetch(Fetch::new(blob), *self.turn.borrow());
        }
        if let Err(why) = self.desk.borrow_mut().take(task) {
            return self.port.send(&Reply::Failed(why));
        }
        self.go_on(*self.turn.borrow());
    }

    /// Reads a file piece by piece, then takes its text.
    fn fetch(self: &Rc<Self>, mut fetch: Fetch, turn: u32) {
        if *self.turn.borrow() != turn {
            return;
        }
        match fetch.piece() {
            Ok(None) => {
                self.port.send(&Reply::Progress(fetch.progress()));
                let lab = self.clone();
                later(&self.port, move || lab.fetch(fetch, turn));
            }
            Ok(Some(text)) => {
                self.desk.borrow_mut().read(text);
                self.go_on(turn);
            }
            Err(why) => self.port.send(&Reply::Failed(why)),
        }
    }

    fn go_on(self: &Rc<Self>, turn: u32) {
        if *self.turn.borrow() != turn {
            return;
        }
        let step = self.desk.borrow_mut().step();
        match step {
            Some(Step::Going(done)) => {
                self.port.send(&Reply::Progress(done));
                let lab = self.clone();
                later(&self.port, move || lab.go_on(turn));
            }
            Some(Step::Done(document)) => self.port.send(&Reply::Done(Box::new(document))),
            Some(Step::Failed(why)) => self.port.send(&Reply::Failed(why)),
            None => {}
        }
    }
}
