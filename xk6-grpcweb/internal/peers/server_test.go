package peers_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// The benchmarks' server is this test binary in a process of its own, so that its allocations and
// CPU time are not counted with a client's.
const serveVariable = "PEERS_SERVE"

const reservePath = "/bookstore.bench.v1.InventoryService/ReserveStock"

func TestMain(m *testing.M) {
	if os.Getenv(serveVariable) != "" {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, "benchmark server:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serve answers every call with the same reservation until standard input ends.
func serve() error {
	method, err := reserveStock(context.Background())
	if err != nil {
		return err
	}
	message, err := reservation(method)
	if err != nil {
		return err
	}
	prefix, err := wire.Prefix(0, len(message))
	if err != nil {
		return err
	}
	frame := append(prefix[:], message...)
	server := http.Server{Handler: fixedAnswer(frame), Protocols: new(http.Protocols), ReadHeaderTimeout: time.Minute}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); _ = server.Close() }()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

func fixedAnswer(frame []byte) http.HandlerFunc {
	webBody := append(append([]byte(nil), frame...), "\x80\x00\x00\x00\x10grpc-status: 0\r\n"...)
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		contentType := r.Header.Get("Content-Type")
		w.Header().Set("Content-Type", contentType)
		if strings.HasPrefix(contentType, "application/grpc-web") {
			_, _ = w.Write(webBody)
			return
		}
		w.Header().Set("Trailer", "Grpc-Status")
		_, _ = w.Write(frame)
		w.Header().Set("Grpc-Status", "0")
	}
}

func reserveStock(ctx context.Context) (*schema.Method, error) {
	types := schema.New()
	source := schema.Source{ImportPaths: []string{"../../../proto"}}
	if _, err := types.Load(ctx, source, "bookstore/bench/v1/bench.proto"); err != nil {
		return nil, err
	}
	return types.Method(reservePath)
}

// reservation is an answer of the size that the product's server sends.
func reservation(method *schema.Method) ([]byte, error) {
	message, err := method.Decode(nil)
	if err != nil {
		return nil, err
	}
	fields := message.ProtoReflect().Descriptor().Fields()
	for name, value := range map[string]string{"reservation_id": "0190a5c2-7f3e-7c1a-9b2d-000000000001", "order_id": "order-000001"} {
		message.ProtoReflect().Set(fields.ByName(protoName(name)), protoString(value))
	}
	expires := message.ProtoReflect().Mutable(fields.ByName("expires_at")).Message()
	expires.Set(expires.Descriptor().Fields().ByName("seconds"), protoInt64(1_800_000_000))
	return proto.Marshal(message)
}

// startServer returns the address of a server process that ends with the benchmark.
func startServer(b *testing.B) string {
	b.Helper()
	command := exec.Command(os.Args[0], "-test.run=^$")
	command.Env = append(os.Environ(), serveVariable+"=1")
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = command.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// cpuTime is the time that this process has spent on a CPU, in the kernel included.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
