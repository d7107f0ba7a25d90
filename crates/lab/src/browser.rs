//! A worker's port: tasks in, progress and documents out.

use std::cell::RefCell;
use std::rc::Rc;

use slabscope_worker::port::{Port, later};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Blob;

use crate::desk::{Desk, Step};
use crate::file::Fetch;
use crate::task::Reply;

/// Does the tasks of a kind from now on.
pub(crate) fn serve<D: Desk + 'static>(desk: D) {
    let Some(port) = Port::new() else { return };
    let office = Rc::new(Office { port: port.clone(), desk: RefCell::new(desk), turn: RefCell::default() });
    port.listen(&Reply::Ready, move |task: D::Task, along: JsValue| office.take(task, along));
}

struct Office<D> {
    port: Port,
    desk: RefCell<D>,
    /// Counts tasks, so that a step of one that was replaced is not taken.
    turn: RefCell<u32>,
}

impl<D: Desk + 'static> Office<D> {
    fn take(self: &Rc<Self>, task: D::Task, along: JsValue) {
        *self.turn.borrow_mut() += 1;
        let turn = *self.turn.borrow();
        match along.dyn_into::<Blob>() {
            Ok(blob) => self.fetch(Fetch::new(blob), task, turn),
            Err(_) => self.begin(&task, None, turn),
        }
    }

    fn begin(self: &Rc<Self>, task: &D::Task, file: Option<Vec<u8>>, turn: u32) {
        let port = self.port.clone();
        let tell = Box::new(move |done| port.send(&Reply::Progress(done)));
        let taken = self.desk.borrow_mut().take(task, file, tell);
        match taken {
            Ok(()) => self.go_on(turn),
            Err(why) => self.port.send(&Reply::Failed(why)),
        }
    }

    /// Reads a file piece by piece, then begins with its content.
    fn fetch(self: &Rc<Self>, mut fetch: Fetch, task: D::Task, turn: u32) {
        if *self.turn.borrow() != turn {
            return;
        }
        match fetch.piece() {
            Ok(None) => {
                self.port.send(&Reply::Progress(fetch.progress()));
                let office = self.clone();
                later(&self.port, move || office.fetch(fetch, task, turn));
            }
            Ok(Some(bytes)) => self.begin(&task, Some(bytes), turn),
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
                let office = self.clone();
                later(&self.port, move || office.go_on(turn));
            }
            Some(Step::Read(read)) => self.port.send(&Reply::Read(Box::new(read))),
            Some(Step::Partly(document, done)) => {
                self.port.send(&Reply::Partly(Box::new(document), done));
                let office = self.clone();
                later(&self.port, move || office.go_on(turn));
            }
            Some(Step::Done(document)) => self.port.send(&Reply::Done(Box::new(document))),
            Some(Step::Failed(why)) => self.port.send(&Reply::Failed(why)),
            None => {}
        }
    }
}
