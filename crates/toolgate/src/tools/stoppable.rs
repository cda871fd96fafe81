//! A file whose reading ends when the call should.

use std::{
    fs::File,
    io::{self, Read},
};

use tokio_util::sync::CancellationToken;

pub(super) struct Stoppable<'a> {
    pub(super) file: File,
    pub(super) stop: &'a CancellationToken,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_cancelled() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.file.read(buffer)
    }
}
