// Command conformance is the client under test of the public suite connectrpc/conformance. It reads
// calls from standard input, makes them with this extension's own packages and writes what it saw to
// standard output, both as messages with a four-byte length in front.
//
// The suite's messages are compiled from the .proto files in its module's folder, named by the only
// argument.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// maxConcurrentCalls keeps the deadlines of cases apart from the load of other cases.
const maxConcurrentCalls = 8

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance client:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: conformance <folder of the suite's .proto files>")
	}
	suite, err := loadSuite(ctx, args[0])
	if err != nil {
		return err
	}
	calls := bufio.NewReader(in)
	answers := &writer{out: out}
	slots := make(chan struct{}, maxConcurrentCalls)
	var running sync.WaitGroup
	defer running.Wait()
	for {
		request, err := suite.readRequest(calls)
		if errors.Is(err, io.EOF) {
			running.Wait()
			return answers.failure()
		}
		if err != nil {
			return err
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			answers.write(suite.encodeResponse(suite.perform(ctx, request)))
		})
	}
}
