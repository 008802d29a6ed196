//! One connection: its set-up, its two directions, its end.

use std::{
    cell::RefCell,
    io,
    time::{Duration, Instant},
};

use socket2::SockRef;
use tokio::net::TcpStream;

use super::{
    RelayOptions,
    direction::{Direction, Ended, Way},
    report::Tally,
};
use crate::timer::Timer;

/// Relays `client` to the server until both ends are done.
pub(super) async fn relay(client: TcpStream, options: &RelayOptions, tally: &RefCell<Tally>) {
    let accepted = Instant::now();
    tally.borrow_mut().connections += 1;
    let Ok(server) = connect(&client, options, accepted).await else {
        tally.borrow_mut().failed_connections += 1;
        wait(accepted + options.up.delay + options.down.delay).await;
        abort(&client);
        return;
    };
    let Ok((upwards, downwards)) = directions((&client, &server), options, accepted, tally) else {
        tally.borrow_mut().failed_connections += 1;
        abort(&client);
        abort(&server);
        return;
    };
    let ended = tokio::try_join!(upwards.run(), downwards.run());
    if ended != Ok((Ended::Finished, Ended::Finished)) {
        abort(&client);
        abort(&server);
    }
}

/// Both directions, with the times before which nothing enters them.
fn directions<'a>(
    (client, server): (&'a TcpStream, &'a TcpStream),
    options: &RelayOptions,
    accepted: Instant,
    tally: &'a RefCell<Tally>,
) -> io::Result<(Direction<'a>, Direction<'a>)> {
    let RelayOptions { up, down, .. } = *options;
    let round_trip = up.delay + down.delay;
    let upwards = Direction::new(
        Way::Up,
        (client, server),
        (up, options.buffer_bytes),
        accepted + round_trip,
        tally,
    )?;
    let downwards = Direction::new(
        Way::Down,
        (server, client),
        (down, options.buffer_bytes),
        accepted + round_trip + up.delay,
        tally,
    )?;
    Ok((upwards, downwards))
}

/// The connection to the server, made when the client's wish would have reached it.
async fn connect(
    client: &TcpStream,
    options: &RelayOptions,
    accepted: Instant,
) -> io::Result<TcpStream> {
    client.set_nodelay(true)?;
    wait(accepted + options.up.delay).await;
    let server = TcpStream::connect(options.to).await?;
    server.set_nodelay(true)?;
    Ok(server)
}

/// Waits, by a coarser clock if the system gives no fine one.
async fn wait(until: Instant) {
    if until <= Instant::now() {
        return;
    }
    let fine = match Timer::new() {
        Ok(timer) => timer.wait_until(until).await,
        Err(error) => Err(error),
    };
    if fine.is_err() {
        tokio::time::sleep_until(until.into()).await;
    }
}

/// Makes the coming close a reset. A socket that refuses is closed the plain way.
fn abort(stream: &TcpStream) {
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
}
