//! The lock that keeps two runs in one project apart.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
};

use super::{disk::Disk, error::WriteError, state};

const LOCK: &str = ".toolcontract/lock";

/// Holds a project until it is dropped.
#[derive(Debug)]
pub struct Hold {
    /// None where there is nothing to lock, or a file system that has no locks.
    _file: Option<File>,
}

impl Hold {
    /// Holds the project alone. Calls `on_wait` once when another run has it, then waits.
    ///
    /// # Errors
    /// When the lock file cannot be made.
    pub fn alone(
        root: &Path,
        disk: &dyn Disk,
        on_wait: &mut dyn FnMut(),
    ) -> Result<Self, WriteError> {
        state::folder(root, disk)?;
        OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(root.join(LOCK))
            .and_then(|file| lock(file, File::try_lock, File::lock, on_wait))
            .map_err(|e| WriteError::io("lock", LOCK, e))
    }

    /// Holds the project beside other readers, while nobody writes. Makes no file: where no run
    /// ever wrote there is nothing to wait for.
    ///
    /// # Errors
    /// When the lock file is there but cannot be locked.
    pub fn beside_readers(root: &Path, on_wait: &mut dyn FnMut()) -> Result<Self, WriteError> {
        match File::open(root.join(LOCK)) {
            Ok(file) => lock(file, File::try_lock_shared, File::lock_shared, on_wait)
                .map_err(|e| WriteError::io("lock", LOCK, e)),
            Err(_) => Ok(Self { _file: None }),
        }
    }
}

fn lock(
    file: File,
    attempt: impl Fn(&File) -> Result<(), TryLockError>,
    wait: impl Fn(&File) -> io::Result<()>,
    on_wait: &mut dyn FnMut(),
) -> io::Result<Hold> {
    let locked = match attempt(&file) {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            on_wait();
            wait(&file)
        }
        Err(TryLockError::Error(e)) => Err(e),
    };
    match locked {
        Ok(()) => Ok(Hold { _file: Some(file) }),
        Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(Hold { _file: None }),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::{LocalDisk, state::FOLDER};

    #[test]
    fn a_second_run_waits_for_the_first() {
        let root = tempfile::tempdir().unwrap();
        let first = Hold::alone(root.path(), &LocalDisk, &mut || {
            panic!("nobody else is here")
        });
        let mut first = Some(first.unwrap());
        let mut waited = 0;
        // The first run ends as soon as the second says that it waits.
        let second = Hold::alone(root.path(), &LocalDisk, &mut || {
            waited += 1;
            first.take();
        });
        second.unwrap();
        assert_eq!(waited, 1);
    }

    #[test]
    fn a_check_makes_no_file_and_waits_for_a_writer_only() {
        let root = tempfile::tempdir().unwrap();
        let never = &mut || panic!("nobody writes");
        let nothing = Hold::beside_readers(root.path(), never).unwrap();
        assert!(nothing._file.is_none());
        assert!(!root.path().join(FOLDER).exists());

        let writer = Hold::alone(root.path(), &LocalDisk, &mut || {}).unwrap();
        let mut writer = Some(writer);
        let mut waited = false;
        let one = Hold::beside_readers(root.path(), &mut || {
            waited = true;
            writer.take();
        })
        .unwrap();
        assert!(waited);
        let two = Hold::beside_readers(root.path(), &mut || panic!("readers stand together"));
        two.unwrap();
        drop(one);
    }
}
