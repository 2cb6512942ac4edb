package httpclient

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestExplainsAnAnswerWithoutTLS(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	silent := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer silent.Close()
	go func() {
		for {
			c, err := silent.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "220 mail.example.org\r\n")
			_ = c.Close()
		}
	}()
	for reason, address := range map[string]string{"HTTP": strings.TrimPrefix(web.URL, "http://"), "another protocol": silent.Addr().String()} {
		_, err := http.Get("https://" + address)
		if got := Explain(err); !strings.HasPrefix(got.Error(), "it answers in plain HTTP, and only HTTPS is used") {
			t.Errorf("%s: %v becomes %v", reason, err, got)
		}
	}
	other := errors.New("no such host")
	if Explain(other) != other || Explain(nil) != nil {
		t.Error("another error is not left as it is")
	}
}
