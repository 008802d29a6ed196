package grpcweb_test

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

func TestLoadProtoset(t *testing.T) {
	set, err := schema.Compile(t.Context(), schema.Source{ImportPaths: []string{"testdata/proto"}}, "test/v1/lab.proto")
	if err != nil {
		t.Fatal(err)
	}
	content, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lab.protoset")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	l := newLab(t, labOptions{})
	u := newUser(t, grpcweb.New())
	setLab(t, u, "LAB", l)
	u.Set(t, "PROTOSET", path)
	u.Run(t, `const client = new (require('k6/x/grpcweb').Client)();
		if (client.loadProtoset(PROTOSET).length !== 10) throw new Error('methods are missing')`)
	u.Start()
	u.Iterate(t, `client.connect(LAB.address, { plaintext: true });
		if (client.invoke('test.v1.Lab/Echo', { small: 3 }).message.small !== 3) throw new Error('failed')`)
}

func TestFileURLs(t *testing.T) {
	folder, err := filepath.Abs("testdata/proto")
	if err != nil {
		t.Fatal(err)
	}
	u := newUser(t, grpcweb.New())
	u.Set(t, "FOLDER", "file://"+folder)
	u.Run(t, `new (require('k6/x/grpcweb').Client)().load([FOLDER], 'test/v1/part.proto')`)
}
